/**
 * Plans several operations on the tasks of one document together: either all are valid, or none is done and every
 * problem is reported at once.
 *
 * All splices refer to the original document: an operation does not see what another one in the same call does.
 */

import { activeList } from "../../document/address.ts";
import type { Document } from "../../document/document.ts";
import type { Splice } from "../../plan/edit/splice.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { whyNoNote } from "../record/note.ts";
import { recordTask } from "../record/record-task.ts";
import { stateOf } from "../record/task-record.ts";
import { notedTask } from "../work/add-note.ts";
import { oneTask, whyConflict } from "../work/one-task.ts";
import { type EditedTask, editTask } from "./edit-task.ts";
import { judgeTasks } from "./judge-tasks.ts";
import { createSplice, newTask } from "./new-task.ts";
import type { DoneOperation, OperationRules, TaskOperation } from "./task-operation.ts";

export type Planned =
  | {
      readonly document: Document;
      readonly splices: readonly Splice[];
      readonly done: readonly DoneOperation[];
      readonly warnings: readonly Problem[];
    }
  | { readonly problems: readonly Problem[] };

export function planOperations(
  document: Document,
  operations: readonly TaskOperation[],
  rules: OperationRules,
): Planned {
  const conflict = whyConflict(document);
  const isLook = operations.every(({ operation }) => operation === "list");
  if (isLook) return { document, splices: [], done: [], warnings: conflict ? [conflict] : [] };
  if (conflict) return { problems: [conflict] };
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const splices: Splice[] = [];
  const created: { readonly text: string; readonly box?: string }[] = [];
  const done: (DoneOperation & { readonly index: number })[] = [];
  const touched = new Set<string>();
  operations.forEach((one, index) => {
    if (one.operation === "list") return;
    const planned = plan(document, one, { ...rules, touched });
    if ("problems" in planned) {
      problems.push(...planned.problems.map((problem) => ({ ...problem, index })));
      return;
    }
    if ("text" in planned) created.push(planned);
    else splices.push(...planned.splices);
    const { id, title, state } = planned;
    const operation = one.operation === "clear" ? "edit" : one.operation;
    if (operation !== "create") touched.add(id);
    done.push({ operation, slug: id, title, status: state, index });
    warnings.push(...planned.warnings.map((problem) => ({ ...problem, index })));
  });
  if (created.length > 0) splices.push(createSplice(document, created));
  const placed = (all: readonly Problem[]) => all.map((problem) => inOperation(problem, operations));
  const after = splices.length === 0 ? document : document.spliced(splices);
  const isWhole = problems.length === 0;
  const judged = judgeTasks({ before: document, after, done, isWhole }, rules);
  problems.push(...judged.problems);
  if (problems.length > 0) return { problems: placed(inOrder(problems)) };
  return {
    document: after,
    splices,
    done: done.map(({ index: _, ...one }) => one),
    warnings: placed([...warnings, ...judged.warnings]),
  };
}

interface OperationContext extends OperationRules {
  /** Tasks that other operations of the call change. */
  readonly touched: ReadonlySet<string>;
}

function plan(document: Document, one: TaskOperation, planning: OperationContext) {
  switch (one.operation) {
    case "create":
      return newTask(document, one, planning.how);
    case "edit":
      return edit(document, one, planning);
    case "note":
      return note(document, one, planning);
    default:
      return { problems: [notHere] };
  }
}

const notHere: Problem = {
  code: "TASK_OPERATION",
  message: "clear must be the only operation of its call, and is for the coordinator's list",
  hint: "Use create, edit, note or list here.",
};

function edit(document: Document, one: TaskOperation, { touched, ...rules }: OperationContext): EditedTask {
  const { slug, title, content, status, note } = one;
  if (slug === undefined) return { problems: [missing("slug", "Name the task to edit by its slug.")] };
  if (title === undefined && content === undefined && status === undefined) {
    const hint =
      note === undefined
        ? "Say what is to be different."
        : "For a note alone there is the operation note: slug and note.";
    return { problems: [missing("title, content or status", hint)] };
  }
  const named = oneTask(document, slug, rules.how);
  if ("problem" in named) return { problems: [named.problem] };
  const { task } = named;
  if (touched.has(task.id)) return { problems: [twice(task.id)] };
  const problem = note === undefined ? undefined : whyNoNote(note);
  return problem
    ? { problems: [problem] }
    : editTask(document, task, { title, content, status, note, ...rules });
}

function note(document: Document, one: TaskOperation, { touched, how }: OperationContext): EditedTask {
  const { slug, note: words, title, content, status } = one;
  const { path } = document;
  if (words === undefined) return { problems: [missing("note", "Say in note what was found or decided.")] };
  if (slug === undefined && path !== activeList)
    return { problems: [missing("slug", "Name the task by its slug.")] };
  if (title !== undefined || content !== undefined || status !== undefined)
    return { problems: [notWithNote] };
  const problem = whyNoNote(words);
  if (problem) return { problems: [problem] };
  const named = notedTask(document, slug, how);
  if ("problem" in named) return { problems: [named.problem] };
  const { task } = named;
  if (touched.has(task.id)) return { problems: [twice(task.id)] };
  const recorded = recordTask(document, task, { note: words });
  if ("problem" in recorded) return { problems: [recorded.problem] };
  const { splices } = recorded;
  return { id: task.id, title: task.title, state: stateOf(task), splices, warnings: [] };
}

const notWithNote: Problem = {
  code: "TASK_OPERATION",
  message: "the operation note takes slug and note, and nothing else",
  hint: "To change the status too: operation edit with status and note.",
};

function twice(slug: string): Problem {
  return {
    code: "TASK_EDITED_TWICE",
    message: `#${oneLine(slug, 100)} is changed twice in one call`,
    hint: "Put it into one operation (edit takes title, content, status and note), or into two calls.",
  };
}

function missing(what: string, hint: string): Problem {
  return { code: "TASK_OPERATION", message: `the operation has no ${what}`, hint, field: what };
}

/** With several operations, says which one the problem is about: `operation 2 (create "Sign in"): …`. */
function inOperation(problem: Problem, operations: readonly TaskOperation[]): Problem {
  const { index, field, message } = problem;
  const one = index === undefined ? undefined : operations[index];
  if (index === undefined || !one) return problem;
  const place = `operations[${index}]${field === undefined ? "" : `.${field}`}`;
  if (operations.length === 1) return { ...problem, field: place };
  const { operation, slug, title } = one;
  const name = slug === undefined ? quote(title ?? "", 60) : `#${oneLine(slug.replace(/^#/, ""), 60)}`;
  return { ...problem, field: place, message: `operation ${index + 1} (${operation} ${name}): ${message}` };
}

function inOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((one, other) => (one.index ?? Infinity) - (other.index ?? Infinity));
}
