/** The desk of a turn: a developer's is the task's own, an auditor gets a fresh one with exactly what is to be judged. */
import type { Commit, Desk, TreeId } from "../git/repository.ts";
import type { Role } from "../kernel/event.ts";
import type { State, Task } from "../kernel/state.ts";
import { assert } from "../std/assert.ts";
import type { Bridge } from "./bridge.ts";

export function openTurnDesk({ state, hands }: Bridge, task: Task, role: Role): Promise<Desk> {
  const run = runOf(state);
  const { base, tree, keep } = deskOf(task);
  const wish = { run, name: task.facts.key, base: base as Commit };
  if (role === "developer") return hands.repository.openDesk({ ...wish, tree: tree as TreeId, keep });
  assert(task.work, "a task that is audited has work");
  const fresh = { name: `${task.facts.key}.audit`, tree: task.work.tree as TreeId, keep: false };
  return hands.repository.openDesk({ ...wish, ...fresh });
}

/** As the developer left it. */
export function openDeskOf({ state, hands }: Bridge, task: Task): Promise<Desk> {
  const { base, tree } = deskOf(task);
  const wish = { run: runOf(state), name: task.facts.key, base: base as Commit, tree: tree as TreeId };
  return hands.repository.openDesk({ ...wish, keep: true });
}

function deskOf({ desk }: Task): NonNullable<Task["desk"]> {
  assert(desk, "a task that was dispatched has a desk");
  return desk;
}

export function runOf(state: State): string {
  assert(state.run, "the run has begun");
  return state.run.run;
}
