/** Finds the tasks at the root of what a waiting task waits for, worst first. */
import type { State, Task } from "../../kernel/state.ts";
import type { TaskId } from "../../plan/plan.ts";
import { unmet } from "./blocker.ts";

export interface RootCause {
  readonly root: Task;
  /** The shortest path from the given task to the root, both included. */
  readonly path: readonly TaskId[];
}

export function rootCauses(state: State, from: Task): RootCause[] {
  const cameFrom = new Map<TaskId, TaskId | undefined>([[from.facts.task, undefined]]);
  const queue: Task[] = [from];
  const roots: Task[] = [];
  for (let at = 0; at < queue.length; at++) {
    const task = queue[at] as Task;
    if (task.phase.name !== "waiting") {
      roots.push(task);
      continue;
    }
    for (const id of unmet(state, task)) {
      const next = state.tasks.get(id);
      if (!next || cameFrom.has(id)) continue;
      cameFrom.set(id, task.facts.task);
      queue.push(next);
    }
  }
  // The sort is stable, so among equals the nearest comes first.
  return roots
    .sort((one, other) => badness[one.phase.name] - badness[other.phase.name])
    .map((root) => ({ root, path: pathTo(root.facts.task, cameFrom) }));
}

/** A task that progresses on its own is not a cause while another does not. */
const badness: Readonly<Record<Task["phase"]["name"], number>> = {
  failed: 0,
  held: 1,
  reverting: 2,
  ready: 3,
  working: 4,
  auditing: 4,
  integrating: 4,
  waiting: 5,
  done: 6,
};

function pathTo(root: TaskId, cameFrom: ReadonlyMap<TaskId, TaskId | undefined>): TaskId[] {
  const path: TaskId[] = [];
  for (let at: TaskId | undefined = root; at !== undefined; at = cameFrom.get(at)) path.push(at);
  return path.reverse();
}
