/** A note on a task that goes on: what was found or decided on the way. Anybody may leave one. */

import type { DocumentPath } from "../document/address.ts";
import { activeList } from "../document/address.ts";
import { currentTask } from "./coordinator-list.ts";
import { howTo } from "./how-to.ts";
import { whyNoNote } from "./note.ts";
import { recordTask } from "./record-task.ts";
import { openList } from "./start-coordinator-task.ts";
import { taskDocument } from "./task-document.ts";
import { unknownTask } from "./task-operations.ts";
import { stateOf } from "./task-record.ts";
import { type Refused, refused, type TaskRoom } from "./task-room.ts";
import { type TaskView, taskView } from "./task-view.ts";

export interface Noting {
  readonly path: DocumentPath;
  /** Of the coordinator's list it may be left out: the task in progress. */
  readonly slug?: string | undefined;
  readonly note: string;
}

export async function addNote(
  { store, author }: Pick<TaskRoom, "store" | "author">,
  { path, slug, note }: Noting,
): Promise<TaskView | Refused> {
  const problem = whyNoNote(note);
  if (problem) return refused(problem);
  const how = howTo(author, path);
  return store.change<TaskView | Refused>(author, (now) => {
    const found = path === activeList ? openList(now, how) : taskDocument(now, path, how);
    if ("problem" in found) return { answer: refused(found.problem) };
    const { document } = found;
    const task = slug === undefined ? currentTask(document.tasks) : document.tasks.find(slug);
    if (!task) return { answer: refused(slug === undefined ? whichTask : unknownTask(document, slug, how)) };
    const recorded = recordTask(document, task, { note });
    if ("problem" in recorded) return { answer: refused(recorded.problem) };
    const after = recorded.document.tasks.find(task.id) ?? task;
    return {
      answer: taskView(recorded.document, after),
      edits: [{ do: "splice", path, splices: recorded.splices }],
      done: {
        tool: how.note,
        about: `noted on #${task.id}`,
        tasks: [{ document: path, slug: task.id, status: stateOf(after) }],
      },
    };
  });
}

const whichTask = {
  code: "TASK_NOT_STARTED",
  message: "no coordinator task is in progress: which one is the note about?",
  hint: "Name it: --task SLUG",
};
