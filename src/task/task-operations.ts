/**
 * Several operations on the tasks of one document, decided together: all of them fit, or none is done and everything
 * that is wrong is said at once.
 *
 * All splices are of the document as it was: an operation does not see what another one of the same call does.
 */

import type { Document } from "../document/document.ts";
import type { Splice } from "../plan/splice.ts";
import { closestName } from "../std/closest-name.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { editTask } from "./edit-task.ts";
import type { HowTo } from "./how-to.ts";
import { judgeTasks } from "./judge-tasks.ts";
import { createSplice, newTask } from "./new-task.ts";
import type { DoneOperation, Rules, TaskOperation } from "./task-operation.ts";

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
  rules: Rules,
): Planned {
  const { how } = rules;
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const splices: Splice[] = [];
  const created: string[] = [];
  const done: (DoneOperation & { readonly index: number })[] = [];
  const edited = new Set<string>();
  operations.forEach((one, index) => {
    if (one.operation === "list") return;
    const operation = one.operation === "create" ? "create" : "edit";
    const planned =
      one.operation === "clear"
        ? { problems: [notHere] }
        : operation === "create"
          ? newTask(document, one, how)
          : edit(document, one, { how, edited });
    if ("problems" in planned) {
      problems.push(...planned.problems.map((problem) => ({ ...problem, index })));
      return;
    }
    if ("text" in planned) created.push(planned.text);
    else splices.push(...planned.splices);
    if (one.slug !== undefined) edited.add(one.slug);
    const { id, title, state } = planned;
    done.push({ operation, slug: id, title, status: state, index });
    warnings.push(...planned.warnings.map((problem) => ({ ...problem, index })));
  });
  if (created.length > 0) splices.push(createSplice(document, created));
  if (problems.length > 0) return { problems };
  if (splices.length === 0) return { document, splices, done: [], warnings };
  const after = document.spliced(splices);
  const judged = judgeTasks({ before: document, after, done }, rules);
  if (judged.problems.length > 0) return { problems: judged.problems };
  return {
    document: after,
    splices,
    done: done.map(({ index: _, ...one }) => one),
    warnings: [...warnings, ...judged.warnings],
  };
}

const notHere: Problem = {
  code: "TASK_OPERATION",
  message: "clear stands alone in its call, and is for the coordinator's list",
  hint: "Use create, edit or list here.",
};

function edit(
  document: Document,
  one: TaskOperation,
  { how, edited }: { readonly how: HowTo; readonly edited: ReadonlySet<string> },
) {
  const { slug, title, content, status } = one;
  if (slug === undefined) return { problems: [missing("slug", "Name the task to edit by its slug.")] };
  if (title === undefined && content === undefined && status === undefined) {
    return { problems: [missing("title, content or status", "Say what is to be different.")] };
  }
  const task = document.tasks.find(slug);
  if (!task) return { problems: [unknownTask(document, slug, how)] };
  if (edited.has(slug)) {
    const message = `${quote(slug, 60)} is edited twice in one call`;
    return { problems: [{ code: "TASK_EDITED_TWICE", message, hint: "Put both edits into one operation." }] };
  }
  return editTask(document, task, { title, content, status, how });
}

function missing(what: string, hint: string): Problem {
  return { code: "TASK_OPERATION", message: `the operation has no ${what}`, hint, field: what };
}

/** With the nearest name, and where all are told. */
export function unknownTask(document: Document, slug: string, how: HowTo): Problem {
  const names = Array.from(document.tasks.facts(), ({ id }) => id as string);
  const near = closestName(slug, names);
  return {
    code: "TASK_NOT_FOUND",
    path: document.path,
    message: `${document.path} has no task ${quote(slug, 60)}${names.length === 0 ? "; it has no tasks at all" : ""}`,
    hint: `${near === undefined ? "" : `Did you mean #${near}? `}To see them all, ${how.toList(document.path)}.`,
  };
}
