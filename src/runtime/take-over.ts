/**
 * The first acts of a new writer: what a dead one left running is ended, and only then is it said in the log that nobody works
 * there any more. Two agents must never work at one task, and nobody reads what the old ones say.
 */
import type { Processes } from "../world/processes.ts";
import type { Coordinator } from "./coordinator.ts";
import { runOf } from "./turn-desk.ts";

export interface TakingOver {
  readonly processes: Pick<Processes, "endMarked">;
  readonly pid: number;
  readonly version: string;
  /** What the journal put aside when it was opened. */
  readonly recovered: readonly string[];
}

export async function takeOver(coordinator: Coordinator, taking: TakingOver): Promise<void> {
  const { processes, pid, version, recovered } = taking;
  const { state } = coordinator;
  const known = [...state.turns.values()].flatMap(({ process }) => (process ? [process] : []));
  await processes.endMarked({ name: "COX_RUN", value: runOf(state) }, known);
  const replayed = coordinator.replayed.length;
  coordinator.submit({ command: "open-session", pid, version, replayed, recovered });
  await coordinator.durable();
}
