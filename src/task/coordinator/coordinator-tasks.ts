/**
 * Operations on the coordinator's list: creates, edits and lists tasks, many per call, all or none; clears completed
 * ones.
 */

import { activeList, type DocumentPath } from "../../document/address.ts";
import type { DocumentEdit, StoreDecision } from "../../document/store.ts";
import type { Problem } from "../../std/problem.ts";
import { howTo } from "../how-to.ts";
import type { TaskOperation } from "../operation/task-operation.ts";
import { planOperations } from "../operation/task-operations.ts";
import { doneWith, type OperatedTasks, operated } from "../subagent/subagent-tasks.ts";
import { type RefusedTask, refused, type TaskRoom } from "../task-room.ts";
import { taskRows } from "../task-view.ts";
import { clearedList } from "./clear-list.ts";
import { coordinatorList, listArchivePath } from "./coordinator-list.ts";

export interface OperatedList extends OperatedTasks {
  /** How many tasks were removed from the list, and where they are now. */
  readonly cleared?: number;
  readonly archivedTo?: DocumentPath;
}

export async function coordinatorTasks(
  { store, author, workflows }: Pick<TaskRoom, "store" | "author" | "workflows">,
  operations: readonly TaskOperation[],
): Promise<OperatedList | RefusedTask> {
  const how = howTo(author, activeList);
  const isClear = operations.some(({ operation }) => operation === "clear");
  if (isClear && operations.some(({ operation }) => operation !== "clear" && operation !== "list")) {
    return refused(clearAlone);
  }
  return store.change<OperatedList | RefusedTask>(
    author,
    (now): StoreDecision<OperatedList | RefusedTask> => {
      const { document: found, problem } = now.read(activeList);
      if (problem) return { answer: refused(problem) };
      const document = found ?? coordinatorList();
      if (isClear) {
        const cleared = clearedList(document, listArchivePath(now, now.at));
        if ("problem" in cleared) return { answer: refused(cleared.problem) };
        const { edits, count, archivedTo, after } = cleared;
        const answer: OperatedList = {
          ...operated(after, operations, { done: [], warnings: [] }),
          rows: taskRows(after),
          cleared: count,
          ...(count > 0 && { archivedTo }),
        };
        if (count === 0) return { answer };
        return { answer, edits, done: { tool: how.operations, about: `cleared ${count} completed` } };
      }
      const planned = planOperations(document, operations, { workflows, how, author });
      if ("problems" in planned) return { answer: planned };
      const answer = operated(planned.document, operations, planned);
      if (planned.splices.length === 0) return { answer };
      const edit: DocumentEdit = found
        ? { do: "splice", path: activeList, splices: planned.splices }
        : { do: "create", path: activeList, text: planned.document.text };
      return { answer, edits: [edit], done: doneWith(activeList, how.operations, planned.done) };
    },
  );
}

const clearAlone: Problem = {
  code: "TASK_OPERATION",
  message: "clear must be the only operation of its call",
  hint: "Call coordinator_task with clear first, then again with the other operations.",
};
