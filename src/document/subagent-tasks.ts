/** The tasks of a document: created, edited and listed, many in one call, all or none. */
import { counted } from "../std/counted.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { DocumentPath } from "./address.ts";
import type { Document } from "./document.ts";
import { howTo } from "./how-to.ts";
import type { Done } from "./store.ts";
import { subagentDocument } from "./subagent-address.ts";
import { taskDocument } from "./task-document.ts";
import type { DoneOperation, TaskOperation } from "./task-operation.ts";
import { planOperations } from "./task-operations.ts";
import { type Refused, refused, type TaskRoom } from "./task-room.ts";
import { type TaskRows, taskRows } from "./task-view.ts";

export interface OperatedTasks {
  readonly path: DocumentPath;
  readonly done: readonly DoneOperation[];
  readonly warnings: readonly Problem[];
  /** Where they were asked for, as they are afterwards. */
  readonly rows?: TaskRows;
}

export async function subagentTasks(
  room: Pick<TaskRoom, "store" | "author" | "workflows">,
  {
    document: given,
    operations,
  }: { readonly document: string; readonly operations: readonly TaskOperation[] },
): Promise<OperatedTasks | Refused> {
  const { store, author, workflows } = room;
  const read = subagentDocument(given);
  if ("problem" in read) return refused(read.problem);
  const { path, slug } = read.address;
  if (slug !== undefined) return refused(slugBehind(given));
  const how = howTo(author, path);
  return store.change<OperatedTasks | Refused>(author, (now) => {
    const found = taskDocument(now, path, how);
    if ("problem" in found) return { answer: refused(found.problem) };
    const planned = planOperations(found.document, operations, { workflows, how });
    if ("problems" in planned) return { answer: planned };
    const answer = operated(planned.document, operations, planned);
    if (planned.splices.length === 0) return { answer };
    const done = doneWith(path, how.operations, planned.done);
    return { answer, edits: [{ do: "splice", path, splices: planned.splices }], done };
  });
}

export function operated(
  document: Document,
  operations: readonly TaskOperation[],
  { done, warnings }: { readonly done: readonly DoneOperation[]; readonly warnings: readonly Problem[] },
): OperatedTasks {
  const isListed = operations.some(({ operation }) => operation === "list");
  return { path: document.path, done, warnings, ...(isListed && { rows: taskRows(document) }) };
}

export function doneWith(path: DocumentPath, tool: string, done: readonly DoneOperation[]): Done {
  const [first] = done;
  const verb = first?.operation === "edit" ? "edited" : "created";
  const isOne = done.length === 1 && first;
  return {
    tool,
    about: isOne ? `${verb} #${first.slug}` : `created or edited ${counted(done.length, "task")}`,
    tasks: done.map(({ slug, status }) => ({ document: path, slug, status })),
  };
}

function slugBehind(given: string): Problem {
  return {
    code: "TASK_SLUG_HERE",
    message: `${quote(given, 200)} names a task, and operations are on a document`,
    hint: "Leave the # and what follows out; name the task to edit as slug in its operation.",
  };
}
