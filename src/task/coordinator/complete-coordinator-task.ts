/**
 * Completes the coordinator's current task and starts the next one in order, in one change. After the last task, the
 * list is archived.
 *
 * A repeated call should name its task: if that is already completed, nothing else gets completed. A call without a
 * name means the task that its session was given.
 */

import { activeList, type DocumentPath } from "../../document/address.ts";
import type { Document } from "../../document/document.ts";
import type { Library, StoreDecision } from "../../document/store.ts";
import type { PlanTask } from "../../plan/plan.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { type HowTo, howTo } from "../how-to.ts";
import { whyNoNote } from "../record/note.ts";
import { stateOf } from "../record/task-record.ts";
import { leaseOf } from "../session/lease.ts";
import { whyNotGiven } from "../session/session-memory.ts";
import {
  assignmentOf,
  type RefusedTask,
  refused,
  type TakenTask,
  type TaskAssignment,
  type TaskRoom,
} from "../task-room.ts";
import { type TaskView, taskView } from "../task-view.ts";
import { recordCompletion } from "../work/complete-task.ts";
import { findTask, taskSlug, whyNotOne } from "../work/one-task.ts";
import { takeTask } from "../work/start-task.ts";
import { verifyTask } from "../work/verify-here.ts";
import { currentTask, lastArchive, listArchivePath, nextTask } from "./coordinator-list.ts";
import { openList } from "./start-coordinator-task.ts";

export interface CompletingCurrent {
  readonly note: string;
  /** The slug of the task to complete. */
  readonly task?: string | undefined;
}

export interface CompletedCurrent {
  readonly task: TaskView;
  readonly wasCompleted: boolean;
  /** Now in progress. */
  readonly next?: TaskAssignment;
  /** Why the next one could not be started, and what to do. */
  readonly waiting?: Problem;
  readonly archivedTo?: DocumentPath;
}

export async function completeCoordinatorTask(
  room: TaskRoom,
  { note, task: slug }: CompletingCurrent,
): Promise<CompletedCurrent | RefusedTask> {
  const { store, author } = room;
  const how = howTo(author, activeList);
  const problem = whyNoNote(note);
  if (problem) return refused(problem);
  const seen = look(store, { slug, room, how });
  if ("problems" in seen) return seen;
  if (seen.is === "done") return given(room, seen);
  const { id, verify } = seen.task;
  const verifying = { path: activeList, slug: id, commands: verify };
  const failure = verify.length > 0 ? await verifyTask(verifying, room) : undefined;
  if (failure) return refused(failure);
  const outcome = await store.change<Outcome | RefusedTask>(author, (now) => {
    // Look for the same task as before: by now another call may have completed it and started the next.
    const found = look(now, { slug: id, room, how });
    if ("problems" in found || found.is === "done") return { answer: found };
    return decide(now, found, { room, how, note, verified: verify });
  });
  return "problems" in outcome ? outcome : given(room, outcome);
}

interface Current {
  readonly is: "current";
  readonly document: Document;
  readonly task: PlanTask;
}

interface Outcome {
  readonly is: "done";
  readonly task: TaskView;
  readonly wasCompleted: boolean;
  readonly next?: TakenTask;
  readonly waiting?: Problem;
  readonly archivedTo?: DocumentPath;
}

interface LookupInput {
  readonly slug: string | undefined;
  readonly room: TaskRoom;
  readonly how: HowTo;
}

function look(library: Library, { slug, room, how }: LookupInput): Current | Outcome | RefusedTask {
  const { author, session } = room;
  const list = openList(library, how);
  const named = slug === undefined ? undefined : namedTask(library, slug, { list, how });
  if (named && !("meant" in named)) return named;
  if ("problem" in list) return refused(whyNotGiven(library, { session, how }) ?? list.problem);
  const { document } = list;
  const current = currentTask(document.tasks);
  const problem = named ? undefined : whyNotGiven(library, { document, current, session, how });
  if (problem) return refused(problem);
  const meant = named?.meant ?? current;
  if (meant && stateOf(meant) === "completed") {
    const isTheirs = current && leaseOf(document, current, { author, how }).is === "held";
    const next = isTheirs ? { document, task: current, splices: [] } : undefined;
    return { is: "done", task: taskView(document, meant), wasCompleted: true, ...(next && { next }) };
  }
  if (!current || !meant) return refused(nothingInProgress(how));
  if (meant.id !== current.id) return refused(notCurrent(meant, current, how));
  const unclear = whyNotOne(document, current, how);
  if (unclear) return refused(unclear);
  const lease = leaseOf(document, current, { author, how });
  return lease.is === "refused" ? refused(lease.problem) : { is: "current", document, task: current };
}

interface NamedTaskInput {
  readonly list: ReturnType<typeof openList>;
  readonly how: HowTo;
}

/** The task with that name; an archived one is shown as it was. */
function namedTask(
  library: Library,
  given: string,
  { list, how }: NamedTaskInput,
): { readonly meant: PlanTask } | Outcome | RefusedTask {
  const read = taskSlug(given, activeList);
  if ("problem" in read) return refused(read.problem);
  if ("problem" in list) return archived(library, read.slug) ?? refused(list.problem);
  const { document } = list;
  const found = findTask(document, read.slug, how);
  if ("task" in found) return { meant: found.task };
  return (
    (document.tasks.factsOf(read.slug) ? undefined : archived(library, read.slug)) ?? refused(found.problem)
  );
}

/** An archived list was completed; asking again gives the same answer. */
function archived(library: Library, slug: string): Outcome | undefined {
  const document = lastArchive(library);
  const task = document?.tasks.find(slug);
  if (!document || !task?.isDone) return undefined;
  return { is: "done", task: taskView(document, task), wasCompleted: true, archivedTo: document.path };
}

interface CompletionInput {
  readonly room: TaskRoom;
  readonly how: HowTo;
  readonly note: string;
  readonly verified: readonly string[];
}

function decide(
  now: Library & { readonly at: string },
  { document, task }: Current,
  { room, how, note, verified }: CompletionInput,
): StoreDecision<Outcome | RefusedTask> {
  const { author, workflows } = room;
  const recorded = recordCompletion(document, task, { note, at: now.at, author, verified });
  if ("problem" in recorded) return { answer: refused(recorded.problem) };
  const after = recorded.document;
  const view = taskView(after, after.tasks.find(task.id) ?? task);
  const completed = { document: activeList, slug: task.id, status: "completed" };
  const answer = { is: "done", task: view, wasCompleted: false } as const;
  const following = currentTask(after.tasks) ?? nextTask(after.tasks);
  if (!following) {
    const path = listArchivePath(now, now.at);
    return {
      answer: { ...answer, archivedTo: path },
      edits: [
        { do: "create", path, text: after.text },
        { do: "remove", path: activeList },
      ],
      done: { tool: how.complete, about: `completed #${task.id}, the last one`, tasks: [completed] },
    };
  }
  const took = takeTask(after, following, { author, how, workflows, at: now.at });
  const splices = "problem" in took ? recorded.splices : [...recorded.splices, ...onOriginal(took, task)];
  const started =
    "problem" in took ? [] : [{ document: activeList, slug: following.id as string, status: "in_progress" }];
  return {
    answer: { ...answer, ...("problem" in took ? { waiting: took.problem } : { next: took }) },
    edits: [{ do: "splice", path: activeList, splices }],
    done: { tool: how.complete, about: `completed #${task.id}`, tasks: [completed, ...started] },
  };
}

/**
 * Maps splices back to the original document: what follows the completed task was shifted by the text recorded in it.
 */
function onOriginal({ splices, document: after }: TakenTask, completed: PlanTask): TakenTask["splices"] {
  const { end } = completed.place.whole;
  const grown = (after.tasks.find(completed.id)?.place.whole.end ?? end) - end;
  const isBehind = splices.every(({ start }) => start >= end + grown);
  const by = isBehind ? grown : 0;
  return splices.map(({ start, end: to, text }) => ({ start: start - by, end: to - by, text }));
}

/** Builds the answer. From now on the session is given the next task, if there is one. */
function given(room: TaskRoom, { task, wasCompleted, next, waiting, archivedTo }: Outcome): CompletedCurrent {
  if (room.session) room.session.given = next?.task.id ?? task.slug;
  return {
    task,
    wasCompleted,
    ...(next && { next: assignmentOf(room, next) }),
    ...(waiting && { waiting }),
    ...(archivedTo !== undefined && { archivedTo }),
  };
}

function nothingInProgress(how: HowTo): Problem {
  return {
    code: "TASK_NOT_STARTED",
    path: activeList,
    message: "no coordinator task is in progress, so there is none to complete",
    hint: `First ${how.toStart({ path: activeList })}.`,
  };
}

function notCurrent(meant: PlanTask, current: PlanTask, how: HowTo): Problem {
  return {
    code: "TASK_NOT_CURRENT",
    path: activeList,
    message: `#${oneLine(meant.id, 100)} is not in progress; ${quote(current.title, 80)} (#${oneLine(current.id, 100)}) is`,
    hint: `Coordinator tasks are sequential: complete #${oneLine(current.id, 100)} first, ${how.toComplete({ path: activeList })}.`,
  };
}
