/**
 * A short summary of where the coordinator's list stands: what an agent that lost its conversation needs to continue.
 *
 * Read-only: it takes no lock and writes nothing, so anybody can ask at any moment.
 */

import { activeList, fileOf } from "../../document/address.ts";
import { TaskList } from "../../document/task-list.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import type { Tree } from "../../world/folders/tree.ts";
import { currentTask, mainWorkflowOf, nextTask } from "../coordinator/coordinator-list.ts";
import { stateOf } from "../record/task-record.ts";

export interface SessionPlace {
  readonly task: PlacedTask;
  readonly isStarted: boolean;
  readonly done: number;
  readonly total: number;
  /** The titles of the next few tasks, nearest first. */
  readonly next: readonly string[];
  readonly mainWorkflow?: string;
}

export interface PlacedTask {
  readonly slug: string;
  readonly title: string;
  readonly text: string;
  readonly workflow?: string;
}

/** The caller waits for this at the end of every turn, so a list that would take too long to read is skipped. */
const bytesMax = 512 * 1024;

/** Undefined if there is no list or nothing left to do in it. Throws if the list cannot be read. */
export function lookAtPlace(tree: Tree): SessionPlace | undefined {
  const read = tree.read(`.coxswain/${fileOf(activeList)}`, bytesMax);
  return read && placeIn(TaskList.read(decodeUtf8(read.bytes)));
}

export function placeIn(tasks: TaskList): SessionPlace | undefined {
  const started = currentTask(tasks);
  const task = started ?? nextTask(tasks);
  if (!task) return undefined;
  const open = [...tasks.facts()].filter((facts) => stateOf(facts) !== "completed");
  const mainWorkflow = mainWorkflowOf(tasks, task);
  return {
    task: {
      slug: task.id,
      title: task.title,
      text: task.text,
      ...(task.workflow !== undefined && { workflow: task.workflow }),
    },
    isStarted: started !== undefined,
    done: tasks.size - open.length,
    total: tasks.size,
    next: open
      .filter(({ id }) => id !== task.id)
      .slice(0, 3)
      .map(({ title }) => title),
    ...(mainWorkflow !== undefined && { mainWorkflow }),
  };
}
