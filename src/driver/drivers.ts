/** All drivers there are, by the name that a configuration uses: made once, by whoever composes the program. */
import type { PlainFiles } from "../world/plain-files.ts";
import type { Processes } from "../world/processes.ts";
import type { RunClock } from "../world/run-clock.ts";
import { agentEnvironment, type OurEnvironment } from "./agent-environment.ts";
import { clientDriver } from "./client-driver.ts";
import { clients } from "./clients.ts";
import { command } from "./command.ts";
import type { Driver, TurnRequest } from "./driver.ts";
import { scripted } from "./scripted.ts";

export interface DriversWorld {
  readonly processes: Processes;
  readonly files: PlainFiles;
  readonly clock: Pick<RunClock, "after" | "now">;
  /** Our own; what an agent gets of it is decided here. */
  readonly environment: OurEnvironment;
}

export interface Drivers {
  /** For messages. */
  readonly names: readonly string[];
  find(name: string): Driver | undefined;
}

/** Long enough to save what it has, short enough that nobody who types ^C takes it for a hang. */
const graceMs = 5_000;

export function makeDrivers({ processes, files, clock, environment }: DriversWorld): Drivers {
  const environmentOf = (turn: TurnRequest, variables: readonly string[] = []) =>
    agentEnvironment(turn, environment, variables);
  const after: RunClock["after"] = (ms, call) => clock.after(ms, call);
  const now = () => clock.now();
  const all = [
    command({ processes, environmentOf, graceMs }),
    scripted({ processes, environmentOf, graceMs, files, after, now }),
    ...clients.map((client) => clientDriver(client, { processes, files, graceMs, environmentOf })),
  ];
  return {
    names: all.map(({ name }) => name),
    find: (name) => all.find((driver) => driver.name === name),
  };
}
