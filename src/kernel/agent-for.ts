/**
 * Who does or judges a task: the first of its order who is there, fits it, and is not the author of what is judged. Whoever
 * comes later in the order takes over at once when those before are away.
 */
import type { Role } from "./event.ts";
import { isBackSoon, isOut, isResting } from "./standing.ts";
import type { State, Task } from "./state.ts";

/** Nothing when nobody can be sent now. */
export function agentFor(state: State, task: Task, role: Role): string | undefined {
  for (const agent of eligible(state, task, role)) {
    const standing = state.standings.get(agent);
    if (!standing || (!standing.rest && !standing.out)) return agent;
    if (isBackSoon(standing)) return undefined;
  }
  return undefined;
}

/** All who could be sent, were they there; the preferred ones first. */
export function eligible(state: State, task: Task, role: Role): readonly string[] {
  const order = role === "developer" ? developersOf(task) : judgesOf(state, task);
  const { unfit } = task;
  return unfit.length === 0
    ? order
    : order.filter((agent) => !unfit.some((one) => one.role === role && one.agent === agent));
}

/** Nobody can be sent before a person decides: all are out, or do not fit. */
export function isStranded(state: State, task: Task, role: Role): boolean {
  return eligible(state, task, role).every((agent) => isOut(state, agent));
}

/** Those who could be sent, and whom a person would have to bring back. */
export function outFor(state: State, task: Task, role: Role): string[] {
  return eligible(state, task, role).filter((agent) => isOut(state, agent));
}

/** Somebody who rests could be sent, and nobody who is there. */
export function waitsForRest(state: State, task: Task, role: Role): boolean {
  return (
    agentFor(state, task, role) === undefined &&
    eligible(state, task, role).some((agent) => isResting(state, agent))
  );
}

/** The role of whoever is to be sent next. */
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
 * Nobody judges their own work. The order was made for the author that the plan expects; where another one stepped in,
 * those of another kind than that one come first.
 */
function judgesOf(state: State, task: Task): readonly string[] {
  const author = task.work?.author;
  const others = auditorsOf(task).filter((agent) => agent !== author);
  if (author === undefined || author === task.facts.agent || others.length < 2) return others;
  const kinds = new Map(state.run?.agents?.map(({ name, kind }) => [name, kind]));
  const isOther = (agent: string) => kinds.get(agent) !== kinds.get(author);
  return [...others.filter(isOther), ...others.filter((agent) => !isOther(agent))];
}
