/**
 * Edits a task document by splicing: what an edit does not concern stays as it was written, byte for byte, including
 * formatting, comments, order and line ends.
 *
 * Every edit is read back before it is returned. A place that cannot hold it (below an unclosed fence, say) is a
 * problem, never a silent loss.
 */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { Plan, PlanTask } from "../plan.ts";
import { fieldKey } from "../read/field.ts";
import { parsePlan } from "../read/parse.ts";
import { fieldSplice, type NewField, removal } from "./field-edit.ts";
import { frontMatterSplice } from "./front-matter-edit.ts";
import { applySplices, lineEndOf, type Splice } from "./splice.ts";
import { appendSplice } from "./task-append.ts";

export type PlanEdit =
  /** Replaces the field's value, or adds the field if the task has none. */
  | { readonly do: "set-field"; readonly task: string; readonly key: string; readonly value: string }
  /** Adds another one, for fields that may appear several times. */
  | { readonly do: "add-field"; readonly task: string; readonly key: string; readonly value: string }
  | { readonly do: "remove-field"; readonly task: string; readonly key: string }
  | { readonly do: "tick"; readonly task: string; readonly isDone: boolean }
  /** Writes down the task's current id, so that a new title does not change it. */
  | { readonly do: "pin-id"; readonly task: string }
  | { readonly do: "append-task"; readonly title: string; readonly fields?: readonly NewField[] }
  | { readonly do: "set-front-matter"; readonly key: string; readonly value: string };

export type EditResult = { readonly text: string } | { readonly problem: Problem };

export function editPlan(text: string, edit: PlanEdit): EditResult {
  const unfit = wordsOf(edit).find((words) => /[\r\n]|<!--/.test(words) || words !== words.trim());
  if (unfit !== undefined) {
    const message = `${quote(unfit, 60)} does not fit into one line of a document`;
    return refused("PLAN_EDIT_VALUE", message, "Leave out line breaks, comments and blanks at the ends.");
  }
  const { plan } = parsePlan(text);
  const splices = splicesOf(text, plan, edit);
  if ("problem" in splices) return splices;
  if (splices.length === 0) return { text };
  const edited = applySplices(text, splices);
  if (hasEffect(parsePlan(edited).plan, plan, edit)) return { text: edited };
  const message = "the document cannot hold this edit where it would have to stand";
  return refused(
    "PLAN_EDIT_LOST",
    message,
    "Check it first (cox check): a fence or comment may not be closed.",
  );
}

function wordsOf(edit: PlanEdit): string[] {
  if (edit.do === "append-task") {
    return [edit.title, ...(edit.fields ?? []).flatMap(({ key, value }) => [key, value])];
  }
  return "value" in edit ? [edit.value, edit.key] : [];
}

function splicesOf(text: string, plan: Plan, edit: PlanEdit): Splice[] | { problem: Problem } {
  if (edit.do === "append-task") return [appendSplice(text, plan, edit.title, edit.fields ?? [])];
  if (edit.do === "set-front-matter") return [frontMatterSplice(text, plan, edit.key, edit.value)];
  const task = plan.tasks.find(({ id }) => id === edit.task);
  if (!task) {
    return refused("PLAN_UNKNOWN_TASK", `there is no task ${quote(edit.task, 60)}`, "See the ids: cox check");
  }
  const lineEnd = lineEndOf(text);
  switch (edit.do) {
    case "set-field": {
      const key = fieldKey(edit.key);
      const [first, ...others] = task.fields.filter((field) => field.key === key);
      if (!first) return [fieldSplice(text, task, edit, lineEnd)];
      const before = text[first.value.start - 1] === ":" || text[first.value.start - 1] === "*" ? " " : "";
      return [{ ...first.value, text: `${before}${edit.value}` }, ...others.map(removal)];
    }
    case "add-field":
      return [fieldSplice(text, task, edit, lineEnd)];
    case "remove-field": {
      const key = fieldKey(edit.key);
      return task.fields.filter((field) => field.key === key).map(removal);
    }
    case "pin-id":
      if (task.fields.some(({ key }) => key === "id")) return [];
      return [fieldSplice(text, task, { key: "Id", value: task.id }, lineEnd)];
    case "tick": {
      const { tick } = task.place;
      if (tick === undefined) {
        const message = `${quote(task.id, 60)} has no check-box`;
        return refused("PLAN_NO_BOX", message, "Set its Status instead.");
      }
      if (task.isDone === edit.isDone) return [];
      return [{ start: tick, end: tick + 1, text: edit.isDone ? "x" : " " }];
    }
  }
}

/** Whether the edited document says what it should, and no other task was gained or lost. */
function hasEffect(after: Plan, before: Plan, edit: PlanEdit): boolean {
  const added = edit.do === "append-task" ? 1 : 0;
  if (after.tasks.length !== before.tasks.length + added) return false;
  if (edit.do === "append-task") {
    const last = after.tasks.find(({ id, place }, at) => id !== before.tasks[at]?.id && place);
    return last?.title === edit.title && last.fields.length === (edit.fields ?? []).length;
  }
  if (edit.do === "set-front-matter") return after.frontMatter !== undefined;
  const index = before.tasks.findIndex(({ id }) => id === edit.task);
  const old = before.tasks[index];
  const now = after.tasks[index];
  return old !== undefined && now !== undefined && fieldsAreRight(old, now, edit);
}

function fieldsAreRight(
  old: PlanTask,
  now: PlanTask,
  edit: Exclude<PlanEdit, { do: "append-task" | "set-front-matter" }>,
): boolean {
  if (edit.do === "tick") return now.isDone === edit.isDone;
  const key = edit.do === "pin-id" ? "id" : fieldKey(edit.key);
  const count = (task: PlanTask) => task.fields.filter((field) => field.key === key).length;
  if (edit.do === "remove-field") return count(now) === 0;
  return count(now) === (edit.do === "add-field" ? count(old) + 1 : 1);
}

function refused(code: string, message: string, hint: string): { problem: Problem } {
  return { problem: { code, message, hint } };
}
