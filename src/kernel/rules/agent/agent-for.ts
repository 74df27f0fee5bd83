/**
 * Picks who does or judges a task: the first agent of the fallback order that is available, fits the task, and is not
 * the author of the work to be judged. The next agent takes over at once when those before it are away, or when their
 * account allows no more turns.
 */

import type { Role } from "../../event.ts";
import type { State, Task } from "../../state.ts";
import { hasRoom, isAccountResting } from "./account.ts";
import { isBackSoon, isOut, isResting } from "./availability.ts";

/** Undefined if nobody can be sent now. */
export function agentFor(state: State, task: Task, role: Role): string | undefined {
  for (const agent of eligible(state, task, role)) {
    if (isAccountResting(state, agent) || !hasRoom(state, agent)) continue;
    const availability = state.availability.get(agent);
    if (!availability || (!availability.rest && !availability.out)) return agent;
    if (isBackSoon(availability)) return undefined;
  }
  return undefined;
}

/** All agents that could be sent if they were available, in order of preference. */
export function eligible(state: State, task: Task, role: Role): readonly string[] {
  const order = role === "developer" ? developersOf(task) : judgesOf(state, task);
  const { unfitAgents } = task;
  return unfitAgents.length === 0
    ? order
    : order.filter((agent) => !unfitAgents.some((one) => one.role === role && one.agent === agent));
}

/** Nobody can be sent until a person decides: every agent is out or unfit. */
export function isNobodyLeft(state: State, task: Task, role: Role): boolean {
  return eligible(state, task, role).every((agent) => isOut(state, agent));
}

/** The agents that could be sent if a person brought them back. */
export function outFor(state: State, task: Task, role: Role): string[] {
  return eligible(state, task, role).filter((agent) => isOut(state, agent));
}

/** Only agents that are resting could be sent; nobody is available now. */
export function waitsForRest(state: State, task: Task, role: Role): boolean {
  return (
    agentFor(state, task, role) === undefined &&
    eligible(state, task, role).some((agent) => isResting(state, agent))
  );
}

/** The role of the next agent to be sent. */
export function dueRole({ phase }: Task): Role | undefined {
  if (phase.name === "ready" || (phase.name === "working" && phase.step === "due")) return "developer";
  return phase.name === "auditing" && phase.step === "due" ? "auditor" : undefined;
}

export function developersOf({ facts }: Pick<Task, "facts">): readonly string[] {
  return facts.agents ?? [facts.agent];
}

export function auditorsOf({ facts }: Pick<Task, "facts">): readonly string[] {
  return facts.auditors ?? (facts.auditor === undefined ? [] : [facts.auditor]);
}

/**
 * Nobody judges their own work. The order was made for the author that the plan expects; if another agent stepped in,
 * auditors of a different kind than that agent come first.
 */
function judgesOf(state: State, task: Task): readonly string[] {
  const author = task.work?.author;
  const others = auditorsOf(task).filter((agent) => agent !== author);
  if (author === undefined || author === task.facts.agent || others.length < 2) return others;
  const kinds = new Map(state.run?.agents?.map(({ name, kind }) => [name, kind]));
  const isOther = (agent: string) => kinds.get(agent) !== kinds.get(author);
  return [...others.filter(isOther), ...others.filter((agent) => !isOther(agent))];
}
