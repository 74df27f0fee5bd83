/** Why nobody was dispatched yet for a task that is ready or whose next turn is due. */
import { claimant, freeSlots } from "../kernel/selection.ts";
import type { RunStatus, State, Task } from "../kernel/state.ts";
import { isAtWork } from "../kernel/turns.ts";
import { findOverlaps } from "../plan/overlap.ts";
import type { TaskId } from "../plan/plan.ts";
import type { DeepReadonly } from "../std/deep-readonly.ts";

export type Hindrance =
  | { readonly name: "run"; readonly status: DeepReadonly<RunStatus> }
  /** The plan wants everybody to wait while a question is open. */
  | { readonly name: "hold-all"; readonly questions: readonly string[] }
  /** A turn that nobody wants any more has not ended yet. */
  | { readonly name: "ending" }
  | { readonly name: "level"; readonly level: number; readonly open: number }
  | { readonly name: "files"; readonly by: TaskId; readonly pattern: string }
  | { readonly name: "resource"; readonly by: TaskId; readonly resource: string }
  | { readonly name: "slots"; readonly slots: number }
  /** It is next, or those before it are. */
  | { readonly name: "nothing" };

export function hindranceOf(state: State, task: Task): Hindrance {
  const { run, status, index } = state;
  if (!run || status.name !== "running") return { name: "run", status };
  const { settings } = run;
  if (settings.on_question === "hold-all" && index.openQuestions.size > 0) {
    return { name: "hold-all", questions: [...index.openQuestions] };
  }
  if (isAtWork(state, task.facts.task)) return { name: "ending" };
  if (task.phase.name === "ready") {
    if (settings.schedule === "levels" && task.level > index.level) {
      return { name: "level", level: index.level, open: index.openByLevel[index.level] ?? 0 };
    }
    const taken = takenBy(state, task);
    if (taken) return taken;
  }
  return freeSlots(state) > 0 ? { name: "nothing" } : { name: "slots", slots: settings.active_developers };
}

/** What it declares to write or to use is in other hands. */
function takenBy(state: State, task: Task): Hindrance | undefined {
  const by = claimant(state, task);
  const other = by === undefined ? undefined : state.tasks.get(by);
  if (by === undefined || !other) return undefined;
  const resource = task.facts.shares.find((each) => other.facts.shares.includes(each));
  if (resource !== undefined) return { name: "resource", by, resource };
  const claims = [
    ...task.facts.writes.map((pattern) => ({ owner: 0, pattern })),
    ...other.facts.writes.map((pattern) => ({ owner: 1, pattern })),
  ];
  return { name: "files", by, pattern: findOverlaps(claims, 1)[0]?.pattern ?? "" };
}
