/**
 * Opens the desk of a turn: a developer gets the task's own desk, an auditor a fresh one with exactly the work to judge.
 */
import type { Desk } from "../../git/repository.ts";
import type { Role } from "../../kernel/event.ts";
import type { State, Task } from "../../kernel/state.ts";
import { assert } from "../../std/assert.ts";
import type { ActContext } from "../loop/act-context.ts";

export function openTurnDesk({ state, ports }: ActContext, task: Task, role: Role): Promise<Desk> {
  const run = runOf(state);
  const { base, tree, keep } = deskOf(task);
  const request = { run, name: task.facts.key, base };
  if (role === "developer") return ports.repository.openDesk({ ...request, tree, keep });
  assert(task.work, "a task that is audited has work");
  const fresh = { name: `${task.facts.key}.audit`, tree: task.work.tree, keep: false };
  return ports.repository.openDesk({ ...request, ...fresh });
}

/** Opens the task's desk as the developer left it. */
export function openDeskOf({ state, ports }: ActContext, task: Task): Promise<Desk> {
  const { base, tree } = deskOf(task);
  const request = { run: runOf(state), name: task.facts.key, base, tree };
  return ports.repository.openDesk({ ...request, keep: true });
}

function deskOf({ desk }: Task): NonNullable<Task["desk"]> {
  assert(desk, "a task that was dispatched has a desk");
  return desk;
}

export function runOf(state: State): string {
  assert(state.run, "the run has begun");
  return state.run.run;
}
