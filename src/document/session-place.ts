/**
 * Where the coordinator's list stands, in a few words: what whoever lost the conversation must know to go on.
 *
 * Only looks. It takes no lock and writes nothing, so that it can be asked at any moment, by anybody.
 */
import { parsePlan } from "../plan/parse.ts";
import type { Plan, Task } from "../plan/plan.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import type { Tree } from "../world/tree.ts";
import { activeList, fileOf } from "./address.ts";

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
  return read && placeIn(parsePlan(decodeUtf8(read.bytes)).plan);
}

export function placeIn({ tasks, settings }: Plan): SessionPlace | undefined {
  const open = tasks.filter(({ isDone }) => !isDone);
  const started = open.find(isInProgress);
  const task = started ?? open[0];
  if (!task) return undefined;
  const mainWorkflow = mainWorkflowFor(task, tasks) ?? settings.mainWorkflow;
  return {
    task: {
      slug: task.id,
      title: task.title,
      text: task.text,
      ...(task.workflow !== undefined && { workflow: task.workflow }),
    },
    isStarted: started !== undefined,
    done: tasks.length - open.length,
    total: tasks.length,
    next: open
      .filter((one) => one !== task)
      .slice(0, 3)
      .map(({ title }) => title),
    ...(mainWorkflow !== undefined && { mainWorkflow }),
  };
}

function isInProgress({ status }: Task): boolean {
  return status === "in-progress" || status === "working";
}

/** It is said once, on the first task, and holds until another one says otherwise. */
function mainWorkflowFor(task: Task, tasks: readonly Task[]): string | undefined {
  const before = tasks.slice(0, tasks.indexOf(task) + 1);
  const said = (one: Task) => one.mainWorkflow !== undefined;
  return (before.findLast(said) ?? tasks.find(said))?.mainWorkflow;
}
