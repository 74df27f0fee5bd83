/**
 * Where the coordinator's list stands, in a few words: what whoever lost the conversation must know to go on.
 *
 * Only looks. It takes no lock and writes nothing, so that it can be asked at any moment, by anybody.
 */

import { activeList, fileOf } from "../document/address.ts";
import { TaskList } from "../document/task-list.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import type { Tree } from "../world/tree.ts";
import { currentTask, mainWorkflowOf, nextTask } from "./coordinator-list.ts";
import { stateOf } from "./task-record.ts";

export interface SessionPlace {
  readonly task: PlacedTask;
  readonly isStarted: boolean;
  readonly done: number;
  readonly total: number;
  /** Titles of what follows, the nearest first; a few of them. */
  readonly next: readonly string[];
  readonly mainWorkflow?: string;
}

export interface PlacedTask {
  readonly slug: string;
  readonly title: string;
  readonly text: string;
  readonly workflow?: string;
}

/** Whoever waits for the answer waits at every end of a turn: a list that takes longer to read is not looked into. */
const bytesMax = 512 * 1024;

/** Nothing where there is no list, none that can be read, or nothing left to do in it. */
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
