/**
 * The first steps of a new writer: it ends the processes that a dead writer left running, and only then records that
 * nobody works there any more. Two agents must never work on one task, and nobody reads the output of the old ones.
 */
import type { Processes } from "../../world/processes/processes.ts";
import { runOf } from "../acts/turn-desk.ts";
import type { Coordinator } from "../loop/coordinator.ts";

export interface TakingOver {
  readonly processes: Pick<Processes, "endMarked">;
  readonly pid: number;
  readonly version: string;
  /** What was set aside when the run was opened. */
  readonly recovered: readonly string[];
  /** Whether agents are started; otherwise something is only recorded. */
  readonly isWorking: boolean;
}

export async function takeOver(coordinator: Coordinator, taking: TakingOver): Promise<void> {
  const { processes, pid, version, recovered, isWorking } = taking;
  const { state } = coordinator;
  const known = [...state.turns.values()].flatMap(({ process }) => (process ? [process] : []));
  await processes.endMarked({ name: "COX_RUN", value: runOf(state) }, known);
  const replayed = coordinator.replayed.length;
  coordinator.submit({ command: "open-session", pid, version, replayed, recovered, isWorking });
  await coordinator.durable();
}
