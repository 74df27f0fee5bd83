/** Shows one task: a document's by its slug, or the coordinator's current one. */

import { activeList, readAddress } from "../../document/address.ts";
import type { Problem } from "../../std/problem.ts";
import { currentTask, nextTask } from "../coordinator/coordinator-list.ts";
import { openList } from "../coordinator/start-coordinator-task.ts";
import { howTo } from "../how-to.ts";
import { type RefusedTask, refused, type TaskRoom } from "../task-room.ts";
import { type TaskView, taskView } from "../task-view.ts";
import { findTask, unknownTask } from "./one-task.ts";
import { taskDocument } from "./task-document.ts";

/** Without a document, the coordinator's list; there, without a slug, the task in progress, or else the next one. */
export function viewTask(
  { store, author }: Pick<TaskRoom, "store" | "author">,
  given: string = activeList,
): TaskView | RefusedTask {
  const read = readAddress(given);
  if ("problem" in read) return refused(read.problem);
  const { path, slug } = read.address;
  const how = howTo(author, path);
  const found = path === activeList ? openList(store, how) : taskDocument(store, path, how);
  if ("problem" in found) return refused(found.problem);
  const { document } = found;
  const { tasks } = document;
  if (slug === undefined && path !== activeList) return refused(needsSlug(given));
  if (slug !== undefined) {
    const named = findTask(document, slug, how);
    return "problem" in named ? refused(named.problem) : taskView(document, named.task);
  }
  const task = currentTask(tasks) ?? nextTask(tasks) ?? tasks.at(0);
  return task ? taskView(document, task) : refused(unknownTask(document, "", { how }));
}

function needsSlug(given: string): Problem {
  return {
    code: "TASK_NEEDS_SLUG",
    message: `${given} names a document, not a task`,
    hint: `Name the task: ${given}#slug. To read the document: view_document.`,
  };
}
