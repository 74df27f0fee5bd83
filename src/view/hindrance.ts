/** Why nobody was dispatched yet for a task that is ready or whose next turn is due. */

import { agentFor, dueRole, eligible } from "../kernel/agent-for.ts";
import { overBudget } from "../kernel/budget.ts";
import { claimant, freeSlots } from "../kernel/selection.ts";
import type { RunStatus, State, Task } from "../kernel/state.ts";
import { isAtWork } from "../kernel/turns.ts";
import { findOverlaps } from "../plan/overlap.ts";
import type { TaskId } from "../plan/plan.ts";
import type { DeepReadonly } from "../std/deep-readonly.ts";
import type { Seen } from "./liveness.ts";
import { type AwayAgent, awayAgent } from "./standing-words.ts";

export type Hindrance =
  | { readonly name: "run"; readonly status: DeepReadonly<RunStatus> }
  /** The plan wants everybody to wait while a question is open. */
  | { readonly name: "hold-all"; readonly questions: readonly string[] }
  /** A turn that nobody wants any more has not ended yet. */
  | { readonly name: "ending" }
  /** Something it stands on is being taken back. */
  | { readonly name: "dependencies"; readonly on: readonly TaskId[] }
  | { readonly name: "level"; readonly level: number; readonly open: number }
  | { readonly name: "files"; readonly by: TaskId; readonly pattern: string }
  | { readonly name: "resource"; readonly by: TaskId; readonly resource: string }
  /** Everybody who could be sent rests or is out. */
  | { readonly name: "agents"; readonly away: readonly AwayAgent[] }
  | { readonly name: "slots"; readonly slots: number }
  /** What is left is set aside for the turns under way. */
  | { readonly name: "budget"; readonly detail: string }
  /** It is next, or those before it are. */
  | { readonly name: "nothing" };

export function hindranceOf({ state, now }: Pick<Seen, "state" | "now">, task: Task): Hindrance {
  const { run, status, index } = state;
  if (!run || status.name !== "running") return { name: "run", status };
  const { settings } = run;
  if (settings.on_question === "hold-all" && index.openQuestions.size > 0) {
    return { name: "hold-all", questions: [...index.openQuestions] };
  }
  if (isAtWork(state, task.facts.task)) return { name: "ending" };
  if (task.unmet > 0) return { name: "dependencies", on: unmet(state, task) };
  if (task.phase.name === "ready" && settings.schedule === "levels" && task.level > index.level) {
    return { name: "level", level: index.level, open: index.openByLevel[index.level] ?? 0 };
  }
  const taken = task.hasClaims ? undefined : takenBy(state, task);
  if (taken) return taken;
  const away = awayFor({ state, now }, task);
  if (away.length > 0) return { name: "agents", away };
  if (freeSlots(state) <= 0) return { name: "slots", slots: settings.active_developers };
  const over = overBudget(state, now.time);
  return over ? { name: "budget", detail: over.detail } : { name: "nothing" };
}

/** Those of its dependencies that are not there yet. */
export function unmet({ tasks }: State, { facts }: Task): TaskId[] {
  return facts.depends_on.filter((id) => tasks.get(id)?.phase.name !== "verified");
}

/** Nobody where somebody can be sent. */
function awayFor({ state, now }: Pick<Seen, "state" | "now">, task: Task): AwayAgent[] {
  const role = dueRole(task);
  if (role === undefined || agentFor(state, task, role) !== undefined) return [];
  return eligible(state, task, role).flatMap((agent) => {
    const standing = state.standings.get(agent);
    return standing ? awayAgent(standing, now.time) : [];
  });
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
