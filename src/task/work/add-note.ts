/** Adds a note to a task without changing its status: what was found or decided on the way. Anybody may leave one. */

import type { DocumentPath } from "../../document/address.ts";
import { activeList } from "../../document/address.ts";
import type { Document } from "../../document/document.ts";
import type { Problem } from "../../std/problem.ts";
import { currentTask } from "../coordinator/coordinator-list.ts";
import { openList } from "../coordinator/start-coordinator-task.ts";
import { type HowTo, howTo } from "../how-to.ts";
import { whyNoNote } from "../record/note.ts";
import { recordTask } from "../record/record-task.ts";
import { stateOf } from "../record/task-record.ts";
import { type RefusedTask, refused, type TaskRoom } from "../task-room.ts";
import { type TaskView, taskView } from "../task-view.ts";
import { type FoundTask, oneTask, whyNotOne } from "./one-task.ts";
import { taskDocument } from "./task-document.ts";

export interface NoteRequest {
  readonly path: DocumentPath;
  /** May be left out for the coordinator's list: then it is the task in progress. */
  readonly slug?: string | undefined;
  readonly note: string;
}

export async function addNote(
  { store, author }: Pick<TaskRoom, "store" | "author">,
  { path, slug, note }: NoteRequest,
): Promise<TaskView | RefusedTask> {
  const problem = whyNoNote(note);
  if (problem) return refused(problem);
  const how = howTo(author, path);
  return store.change<TaskView | RefusedTask>(author, (now) => {
    const found = path === activeList ? openList(now, how) : taskDocument(now, path, how);
    if ("problem" in found) return { answer: refused(found.problem) };
    const { document } = found;
    const named = notedTask(document, slug, how);
    if ("problem" in named) return { answer: refused(named.problem) };
    const { task } = named;
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

/** For the coordinator's list, the task in progress if none is named. */
export function notedTask(document: Document, slug: string | undefined, how: HowTo): FoundTask {
  if (slug !== undefined) return oneTask(document, slug, how);
  const task = currentTask(document.tasks);
  if (!task) return { problem: whichTask(document.path, how) };
  const problem = whyNotOne(document, task, how);
  return problem ? { problem } : { task };
}

function whichTask(path: DocumentPath, how: HowTo): Problem {
  const message = "no coordinator task is in progress: which one is the note about?";
  return {
    code: "TASK_NOT_STARTED",
    path,
    message,
    hint: `Name it: ${how.toNote({ path, slug: "SLUG" })}.`,
  };
}
