/**
 * What is true of every run after every event, whatever happened. Each check throws with a sentence on what is wrong.
 */
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { decide } from "../../src/kernel/decide.ts";
import type { Occurred } from "../../src/kernel/evolve.ts";
import { fromSnapshot, toSnapshot } from "../../src/kernel/snapshot.ts";
import { evidenceKey, type State, type Task } from "../../src/kernel/state.ts";
import { findOverlaps } from "../../src/plan/check/overlap.ts";
import { groupCounts } from "../../src/view/status/groups.ts";
import type { Story } from "./given.ts";

/** After each single event. */
export function holdsAfterEvent(story: Story, occurred: Occurred): void {
  const { state } = story;
  const workers = [...state.turns.values()].map(({ task }) => task);
  expect(new Set(workers).size, "one turn per task").toBe(workers.length);
  expect(workers.length, "no more turns than slots").toBeLessThanOrEqual(
    state.run?.settings.active_developers ?? 0,
  );
  commitsHaveEvidence(state, occurred);
  sentIsThere(state, occurred);
  const restored = fromSnapshot(toSnapshot(state));
  same(indexOf(restored), indexOf(state), "the index is what a new one would be");
  same(decide(restored, story.now), decide(state, story.now), "a snapshot decides the same");
}

/** `expect` shows what differs, but takes thirty times as long if nothing does. */
function same(one: unknown, other: unknown, claim: string): void {
  if (!isDeepStrictEqual(one, other)) expect(one, claim).toEqual(other);
}

/** After all events of one command. */
export function holdsAfterCommand({ state }: Story): void {
  for (const task of state.tasks.values()) {
    const unmet = [...new Set(task.facts.depends_on)].filter((id) => nameOf(state, id) !== "done");
    expect(task.unmet, `what ${task.facts.task} waits for is counted`).toBe(unmet.length);
    if (task.phase.name === "done" && task.phase.commit)
      for (const id of unmet)
        expect(nameOf(state, id), `${task.facts.task} is done, so is ${id}`).toBe("reverting");
    if (task.phase.name === "ready") expect(unmet, `${task.facts.task} is ready`).toEqual([]);
    if (task.phase.name === "waiting") expect(unmet, `${task.facts.task} waits`).not.toEqual([]);
  }
  reservationsDoNotMeet([...state.tasks.values()].filter(({ hasReservation }) => hasReservation));
  oneHasTheBranch(state);
  questionsAreOpenForWhoWaits(state);
}

function sentIsThere({ availability, tasks }: State, occurred: Occurred): void {
  if (occurred.event !== "agent_dispatched") return;
  const { agent, role, task: id } = occurred.data;
  const { rest, out } = availability.get(agent) ?? {};
  expect(rest ?? out, `${agent} is there`).toBeUndefined();
  if (role === "auditor") expect(tasks.get(id)?.work?.author, "nobody judges own work").not.toBe(agent);
}

function commitsHaveEvidence(state: State, occurred: Occurred): void {
  if (occurred.event !== "integration_prepared") return;
  const { task, tree } = occurred.data;
  const { verify } = state.tasks.get(task)?.facts ?? { verify: [] };
  if (verify.length > 0)
    expect(state.evidence.has(evidenceKey(tree, verify)), `${task} has evidence for its tree`).toBe(true);
}

function reservationsDoNotMeet(tasks: readonly Task[]): void {
  tasks.forEach(({ facts: one }, at) => {
    for (const { facts: other } of tasks.slice(at + 1)) {
      const declared = [one, other].flatMap(({ writes }, owner) =>
        writes.map((pattern) => ({ owner, pattern })),
      );
      expect(findOverlaps(declared, 1), `${one.task} and ${other.task} write one file`).toEqual([]);
      const both = one.shares.filter((name) => other.shares.includes(name));
      expect(both, `${one.task} and ${other.task} share`).toEqual([]);
    }
  });
}

function oneHasTheBranch({ queue, tasks }: State): void {
  const queued = queue.map(({ task }) => task);
  // A rollback that is still being verified may be queued before the same task, which was done again.
  expect(new Set(queue.map(({ of, task }) => `${of} ${task}`)).size).toBe(queue.length);
  for (const { of, task } of queue)
    if (of === "task") expect(tasks.get(task)?.phase.name, `${task} is in the queue`).toBe("integrating");
  const isBeyondMerge = [...tasks.values()].flatMap(({ facts, phase }) => {
    if (phase.name === "integrating" || phase.name === "reverting")
      expect(queued, "whoever goes to the branch is in the queue").toContain(facts.task);
    return phase.name === "integrating" && phase.step.name !== "merge" ? [facts.task] : [];
  });
  expect(isBeyondMerge.length, "one task at a time is put on the branch").toBeLessThanOrEqual(1);
}

function questionsAreOpenForWhoWaits(state: State): void {
  const { questions, tasks, index } = state;
  expect(groupCounts(state).needs_you, "each open question is a task for you").toBe(index.openQuestions.size);
  for (const { question, task, decision } of questions.values()) {
    expect(index.openQuestions.has(question)).toBe(decision === undefined);
    if (decision === undefined) expect(["held", "failed"]).toContain(tasks.get(task)?.phase.name);
  }
  for (const { phase } of tasks.values())
    if (phase.name === "held")
      expect(index.openQuestions.has(phase.question), "a held task has an open question").toBe(true);
}

function nameOf(state: State, id: Task["facts"]["task"]): string | undefined {
  return state.tasks.get(id)?.phase.name;
}

/** As lists, because the order of iteration matters. */
function indexOf({ index, tasks }: State): unknown {
  const { byRank, ready, counts, openByLevel, level, reserving, ...sets } = index;
  return {
    byRank: byRank.map(({ facts }) => facts.task),
    ready: [...tasks.values()].flatMap(({ rank }) => (ready.has(rank) ? [rank] : [])),
    size: ready.size,
    reserving: [...reserving].sort(),
    counts,
    openByLevel,
    level,
    sets: Object.entries(sets).map(([name, set]) => [name, ...(set as ReadonlySet<string>)]),
  };
}
