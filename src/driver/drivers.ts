/** All drivers there are, by the name that a configuration uses: made once, by whoever composes the program. */
import type { Files } from "../world/files.ts";
import type { PlainFiles } from "../world/plain-files.ts";
import type { Processes } from "../world/processes.ts";
import type { RunClock } from "../world/run-clock.ts";
import { acp } from "./acp.ts";
import { agentEnvironment, type OurEnvironment } from "./agent-environment.ts";
import { clientDriver } from "./client-driver.ts";
import { clients } from "./clients.ts";
import { codex } from "./codex.ts";
import { codexDriver } from "./codex-driver.ts";
import { command } from "./command.ts";
import type { AgentSettings, Driver, TurnRequest } from "./driver.ts";
import { model } from "./model.ts";
import { scripted } from "./scripted.ts";

export interface DriversWorld {
  readonly processes: Processes;
  readonly files: PlainFiles;
  /** Through which a model without a program sees its desk. */
  readonly deskFiles: Files;
  readonly fetch: typeof fetch;
  readonly clock: Pick<RunClock, "after" | "now">;
  /** Our own; what an agent gets of it is decided here. */
  readonly environment: OurEnvironment;
}

export interface Drivers {
  /** For messages. */
  readonly names: readonly string[];
  find(name: string): Driver | undefined;
  /** As it is for this agent, where agents of one driver differ in what they can do. */
  findFor(settings: AgentSettings): Driver | undefined;
}

/** Long enough to save what it has, short enough that nobody who types ^C takes it for a hang. */
const graceMs = 5_000;

/** Several times what the slowest needs on a busy machine; some fetch themselves first. */
const handshakeMs = 120_000;

export function makeDrivers(world: DriversWorld): Drivers {
  const { processes, files, deskFiles, fetch, clock, environment } = world;
  const environmentOf = (turn: TurnRequest, variables: readonly string[] = []) =>
    agentEnvironment(turn, environment, variables);
  const after: RunClock["after"] = (ms, call) => clock.after(ms, call);
  const now = () => clock.now();
  const programs = { processes, files, deskFiles, graceMs, handshakeMs, environmentOf, after, now };
  const all = [
    command({ processes, environmentOf, graceMs }),
    scripted({ processes, environmentOf, graceMs, files, after, now }),
    acp({ processes, files, environmentOf, graceMs, handshakeMs, after, now }),
    model({ files: deskFiles, environment, fetch, now }),
    ...clients.map((client) => (client === codex ? codexDriver(programs) : clientDriver(client, programs))),
  ];
  const find = (name: string): Driver | undefined => all.find((driver) => driver.name === name);
  return {
    names: all.map(({ name }) => name),
    find,
    findFor(settings) {
      const driver = find(settings.driver);
      return driver?.of?.(settings) ?? driver;
    },
  };
}
