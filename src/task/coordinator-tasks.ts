/** The coordinator's list: its tasks created, edited and listed, many in one call, all or none; and cleared of what is done. */

import { activeList, type DocumentPath } from "../document/address.ts";
import type { Decision, DocumentEdit } from "../document/store.ts";
import type { Problem } from "../std/problem.ts";
import { clearedList } from "./clear-list.ts";
import { archivePath, coordinatorList } from "./coordinator-list.ts";
import { howTo } from "./how-to.ts";
import { doneWith, type OperatedTasks, operated } from "./subagent-tasks.ts";
import type { TaskOperation } from "./task-operation.ts";
import { planOperations } from "./task-operations.ts";
import { type Refused, refused, type TaskRoom } from "./task-room.ts";
import { taskRows } from "./task-view.ts";

export interface OperatedList extends OperatedTasks {
  /** How many tasks were taken out of the list, and where they are now. */
  readonly cleared?: number;
  readonly archivedTo?: DocumentPath;
}

export async function coordinatorTasks(
  { store, author, workflows }: Pick<TaskRoom, "store" | "author" | "workflows">,
  operations: readonly TaskOperation[],
): Promise<OperatedList | Refused> {
  const how = howTo(author, activeList);
  const isClear = operations.some(({ operation }) => operation === "clear");
  if (isClear && operations.some(({ operation }) => operation !== "clear" && operation !== "list")) {
    return refused(clearAlone);
  }
  return store.change<OperatedList | Refused>(author, (now): Decision<OperatedList | Refused> => {
    const { document: found, problem } = now.read(activeList);
    if (problem) return { answer: refused(problem) };
    const document = found ?? coordinatorList();
    if (isClear) {
      const cleared = clearedList(document, archivePath(now, now.at));
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
  });
}

const clearAlone: Problem = {
  code: "TASK_OPERATION",
  message: "clear stands alone in its call",
  hint: "Call coordinator_task with clear first, then again with the other operations.",
};
