/** Why no agent has been dispatched yet for a task that is ready or whose next turn is due. */

import { accountOf, hasRoom } from "../../kernel/rules/agent/account.ts";
import { agentFor, dueRole, eligible } from "../../kernel/rules/agent/agent-for.ts";
import { overBudget } from "../../kernel/rules/run/budget.ts";
import { finishedWork, freeSlots, isBackedUp, reservedBy } from "../../kernel/rules/turn/selection.ts";
import { isAtWork } from "../../kernel/rules/turn/turns.ts";
import type { RunStatus, State, Task } from "../../kernel/state.ts";
import { findOverlaps } from "../../plan/check/overlap.ts";
import type { TaskId } from "../../plan/plan.ts";
import type { DeepReadonly } from "../../std/deep-readonly.ts";
import { type AwayAgent, awayAgent, type LimitedAccountRow, limitedAccounts } from "./availability-words.ts";
import type { RunSnapshot } from "./liveness.ts";

export type Blocker =
  | { readonly name: "run"; readonly status: DeepReadonly<RunStatus> }
  /** The plan makes everybody wait while a question is open. */
  | { readonly name: "hold-all"; readonly questions: readonly string[] }
  /** A turn that is no longer wanted has not ended yet. */
  | { readonly name: "ending" }
  /** Something it depends on is being rolled back. */
  | { readonly name: "dependencies"; readonly on: readonly TaskId[] }
  | { readonly name: "level"; readonly level: number; readonly open: number }
  | { readonly name: "files"; readonly by: TaskId; readonly pattern: string }
  | { readonly name: "resource"; readonly by: TaskId; readonly resource: string }
  /** Every agent that could do it rests or is out. */
  | { readonly name: "agents"; readonly away: readonly AwayAgent[] }
  /** An agent is available, but its account allows no more turns at once. */
  | { readonly name: "account"; readonly held: LimitedAccountRow }
  | { readonly name: "slots"; readonly slots: number }
  /** Finished work of other tasks comes first. */
  | { readonly name: "finished-work"; readonly finished: number; readonly slots: number }
  /** The rest of the budget is reserved for turns under way. */
  | { readonly name: "budget"; readonly detail: string }
  /** Nothing blocks it: it is next, or tasks before it are. */
  | { readonly name: "nothing" };

export function blockerOf({ state, now }: Pick<RunSnapshot, "state" | "now">, task: Task): Blocker {
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
  const taken = task.hasReservation ? undefined : takenBy(state, task);
  if (taken) return taken;
  const away = awayFor({ state, now }, task);
  if (away.length > 0) return { name: "agents", away };
  const held = heldFor(state, task);
  if (held) return { name: "account", held };
  if (freeSlots(state) <= 0) return { name: "slots", slots: settings.active_developers };
  if (task.phase.name === "ready" && isBackedUp(state)) {
    return { name: "finished-work", finished: finishedWork(state), slots: settings.active_developers };
  }
  const over = overBudget(state, now.time);
  return over ? { name: "budget", detail: over.detail } : { name: "nothing" };
}

/** Its dependencies that are not done yet. */
export function unmet({ tasks }: State, { facts }: Task): TaskId[] {
  return facts.depends_on.filter((id) => tasks.get(id)?.phase.name !== "done");
}

/** Empty if an agent can be dispatched. */
function awayFor({ state, now }: Pick<RunSnapshot, "state" | "now">, task: Task): AwayAgent[] {
  const role = dueRole(task);
  if (role === undefined || agentFor(state, task, role) !== undefined) return [];
  return eligible(state, task, role).flatMap((agent) => awayAgent(state, agent, now.time));
}

/** The account of the first available agent, if it allows no more turns. */
function heldFor(state: State, task: Task): LimitedAccountRow | undefined {
  const role = dueRole(task);
  if (role === undefined || agentFor(state, task, role) !== undefined) return undefined;
  const full = eligible(state, task, role).find((agent) => !hasRoom(state, agent));
  const account = full === undefined ? undefined : accountOf(state, full);
  return limitedAccounts(state).find((one) => one.account === account);
}

/** Another task is using what it declares to write or share. */
function takenBy(state: State, task: Task): Blocker | undefined {
  const by = reservedBy(state, task);
  const other = by === undefined ? undefined : state.tasks.get(by);
  if (by === undefined || !other) return undefined;
  const resource = task.facts.shares.find((each) => other.facts.shares.includes(each));
  if (resource !== undefined) return { name: "resource", by, resource };
  const declared = [
    ...task.facts.writes.map((pattern) => ({ owner: 0, pattern })),
    ...other.facts.writes.map((pattern) => ({ owner: 1, pattern })),
  ];
  return { name: "files", by, pattern: findOverlaps(declared, 1)[0]?.pattern ?? "" };
}
