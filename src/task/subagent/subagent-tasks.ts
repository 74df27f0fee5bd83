/** Operations on the tasks of a document: creates, edits and lists them, many per call, all or none. */

import type { DocumentPath } from "../../document/address.ts";
import { Document } from "../../document/document.ts";
import { nearestDocuments } from "../../document/find-document.ts";
import type { ChangeSummary, DocumentEdit, Library } from "../../document/store.ts";
import { counted } from "../../std/counted.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { howTo } from "../how-to.ts";
import type { DoneOperation, TaskOperation } from "../operation/task-operation.ts";
import { planOperations } from "../operation/task-operations.ts";
import { type RefusedTask, refused, type TaskRoom } from "../task-room.ts";
import { type TaskRows, taskRows } from "../task-view.ts";
import { taskDocument } from "../work/task-document.ts";
import { subagentDocument } from "./subagent-address.ts";

export interface OperatedTasks {
  readonly path: DocumentPath;
  readonly done: readonly DoneOperation[];
  readonly warnings: readonly Problem[];
  /** The tasks afterwards, if the call asked for a list. */
  readonly rows?: TaskRows;
}

export async function subagentTasks(
  room: Pick<TaskRoom, "store" | "author" | "workflows">,
  {
    document: given,
    operations,
  }: { readonly document: string; readonly operations: readonly TaskOperation[] },
): Promise<OperatedTasks | RefusedTask> {
  const { store, author, workflows } = room;
  const read = subagentDocument(given);
  if ("problem" in read) return refused(read.problem);
  const { path, slug } = read.address;
  if (slug !== undefined) return refused(slugBehind(given));
  const how = howTo(author, path);
  return store.change<OperatedTasks | RefusedTask>(author, (now) => {
    const found = taskDocument(now, path, how);
    const isNew = "problem" in found && mayMake(operations, found.problem);
    if ("problem" in found && !isNew) return { answer: refused(found.problem) };
    const document = "problem" in found ? Document.of(path, `# ${titleOf(path)}\n`) : found.document;
    const planned = planOperations(document, operations, { workflows, how, author });
    if ("problems" in planned) return { answer: planned };
    const warnings = [...planned.warnings, ...(isNew ? [made(now, path)] : [])];
    const answer = operated(planned.document, operations, { done: planned.done, warnings });
    if (planned.splices.length === 0) return { answer };
    const done = doneWith(path, how.operations, planned.done);
    const edit: DocumentEdit = isNew
      ? { do: "create", path, text: planned.document.text }
      : { do: "splice", path, splices: planned.splices };
    return { answer, edits: [edit], done };
  });
}

/** A missing document is created for its first tasks. */
function mayMake(operations: readonly TaskOperation[], { code }: Problem): boolean {
  const creates = operations.every(({ operation }) => operation === "create" || operation === "list");
  return code === "DOC_NOT_FOUND" && creates && operations[0]?.operation === "create";
}

/** `/api/user-accounts.md` → "User accounts". */
function titleOf(path: DocumentPath): string {
  const name = path.slice(path.lastIndexOf("/") + 1, -".md".length).replace(/[-_]+/g, " ");
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

function made(library: Library, path: DocumentPath): Problem {
  const [near] = nearestDocuments(library, path);
  return {
    code: "DOC_MADE",
    path,
    message: `${path} did not exist and was created`,
    hint: near
      ? `If you meant ${near}: create the tasks there, then delete_document ${path}.`
      : "Say in it what it is about, with section.",
  };
}

export function operated(
  document: Document,
  operations: readonly TaskOperation[],
  { done, warnings }: { readonly done: readonly DoneOperation[]; readonly warnings: readonly Problem[] },
): OperatedTasks {
  const isListed = operations.some(({ operation }) => operation === "list");
  return { path: document.path, done, warnings, ...(isListed && { rows: taskRows(document) }) };
}

export function doneWith(path: DocumentPath, tool: string, done: readonly DoneOperation[]): ChangeSummary {
  const [first] = done;
  const verb = first ? verbs[first.operation] : "created";
  const isOne = done.length === 1 && first;
  return {
    tool,
    about: isOne ? `${verb} #${first.slug}` : `created or edited ${counted(done.length, "task")}`,
    tasks: done.map(({ slug, status }) => ({ document: path, slug, status })),
  };
}

const verbs = { create: "created", edit: "edited", note: "noted on" } as const;

function slugBehind(given: string): Problem {
  return {
    code: "TASK_SLUG_HERE",
    message: `${quote(given, 200)} names a task, and operations are on a document`,
    hint: "Leave the # and what follows out; name the task to edit as slug in its operation.",
  };
}
