/** All drivers, by the name used in the configuration. Created once, where the program is composed. */
import type { Files } from "../world/files/files.ts";
import type { PlainFiles } from "../world/files/plain-files.ts";
import type { Processes } from "../world/processes/processes.ts";
import type { RunClock } from "../world/time/run-clock.ts";
import { acp } from "./acp/acp.ts";
import { agentEnvironment, type OurEnvironment } from "./agent-environment.ts";
import type { AgentSettings } from "./agent-settings.ts";
import { command } from "./command/command.ts";
import type { Driver, TurnRequest } from "./driver.ts";
import { model } from "./model/model.ts";
import { clientDriver } from "./programs/client-driver.ts";
import { clients } from "./programs/clients.ts";
import { codex } from "./programs/codex.ts";
import { codexDriver } from "./programs/codex-driver.ts";
import { scripted } from "./scripted/scripted.ts";

export interface DriversWorld {
  readonly processes: Processes;
  readonly files: PlainFiles;
  /** Gives a bare model access to its desk. */
  readonly deskFiles: Files;
  readonly fetch: typeof fetch;
  readonly clock: Pick<RunClock, "after" | "now">;
  /** Our own environment; this file decides what an agent gets of it. */
  readonly environment: OurEnvironment;
}

export interface Drivers {
  /** Used in messages. */
  readonly names: readonly string[];
  find(name: string): Driver | undefined;
  /** The driver for one agent, where agents of one driver differ in what they can do. */
  findFor(settings: AgentSettings): Driver | undefined;
}

/** Long enough for an agent to save its work, short enough that nobody who types ^C takes it for a hang. */
const graceMs = 5_000;

/** Several times what the slowest needs on a busy machine; some download themselves first. */
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
      return driver?.forAgent?.(settings) ?? driver;
    },
  };
}
