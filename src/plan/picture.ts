/** A plan at a glance: its tasks by level, how many can work at once, and where they would collide. */
import { planGraph } from "./check/check.ts";
import { downstreamCounts } from "./check/downstream.ts";
import { orderOf } from "./check/graph.ts";
import { findOverlaps } from "./check/overlap.ts";
import type { Plan, PlanTask } from "./plan.ts";

export interface Picture {
  /** In the order in which they can begin; within a level, in the order of the document. */
  readonly levels: readonly (readonly PlanTask[])[];
  /** Tasks on a cycle, or behind one: they can never begin. */
  readonly stuck: readonly PlanTask[];
  /** The largest number of tasks in one level. */
  readonly width: number;
  readonly overlaps: readonly {
    readonly level: number;
    readonly tasks: readonly PlanTask[];
    readonly pattern: string;
  }[];
  /** How many tasks wait for each task, by its index in the plan. */
  readonly downstream: readonly number[];
}

const overlapsMax = 100;

export function pictureOf(plan: Plan): Picture {
  const graph = planGraph(plan);
  const levels: PlanTask[][] = [];
  const stuck: PlanTask[] = [];
  orderOf(graph).levels.forEach((level, index) => {
    const task = plan.tasks[index];
    if (!task) return;
    if (level === -1) stuck.push(task);
    else {
      levels[level] ??= [];
      levels[level]?.push(task);
    }
  });
  return {
    levels,
    stuck,
    width: levels.reduce((most, { length }) => Math.max(most, length), 0),
    overlaps: levels.flatMap((tasks, level) => overlapsIn(tasks, level)).slice(0, overlapsMax),
    downstream: downstreamCounts(graph),
  };
}

function overlapsIn(tasks: readonly PlanTask[], level: number) {
  const declared = tasks.flatMap(({ writes, deletes }, owner) =>
    [...writes, ...deletes].map((pattern) => ({ owner, pattern })),
  );
  return findOverlaps(declared, overlapsMax).map(({ owners, pattern }) => ({
    level,
    pattern,
    tasks: owners.flatMap((owner) => tasks[owner] ?? []),
  }));
}
