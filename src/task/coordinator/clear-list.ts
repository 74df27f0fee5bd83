/**
 * Clears completed tasks from the coordinator's list and archives them. Its Main-Workflow stays: the first remaining
 * task gets it. Tasks that an open task depends on stay too.
 */

import type { DocumentPath } from "../../document/address.ts";
import type { Document } from "../../document/document.ts";
import type { DocumentEdit } from "../../document/store.ts";
import { fieldSplice } from "../../plan/edit/field-edit.ts";
import { lineEndOf, type Splice } from "../../plan/edit/splice.ts";
import type { PlanTask } from "../../plan/plan.ts";
import type { Problem } from "../../std/problem.ts";
import { coordinatorList, mainWorkflowOf } from "./coordinator-list.ts";

export type ClearedList =
  | {
      readonly edits: readonly DocumentEdit[];
      readonly count: number;
      readonly archivedTo: DocumentPath;
      /** The list afterwards. */
      readonly after: Document;
    }
  | { readonly problem: Problem };

export function clearedList(document: Document, archivedTo: DocumentPath): ClearedList {
  const { path } = document;
  const { tasks } = document.tasks;
  const needed = new Set(
    tasks.filter(({ isDone }) => !isDone).flatMap((task) => task.dependsOn.map(({ name }) => name)),
  );
  const gone = tasks.filter(({ isDone, id }) => isDone && !needed.has(id));
  if (gone.length === 0) return { edits: [], count: 0, archivedTo, after: document };
  const count = gone.length;
  if (count === tasks.length) {
    const edits: DocumentEdit[] = [
      { do: "create", path: archivedTo, text: document.text },
      { do: "remove", path },
    ];
    return { edits, count, archivedTo, after: coordinatorList() };
  }
  const first = tasks.find((task) => !gone.includes(task));
  const splices = [...gone.map(({ place }) => ({ ...place.whole, text: "" })), ...keepMain(document, first)];
  const after = document.spliced(splices);
  const isKept = after.tasks.size === tasks.length - count && after.tasks.at(0)?.id === first?.id;
  if (!isKept) return { problem: cannot };
  const edits: DocumentEdit[] = [
    { do: "create", path: archivedTo, text: archiveText(document, gone) },
    { do: "splice", path, splices },
  ];
  return { edits, count, archivedTo, after };
}

function keepMain(document: Document, first: PlanTask | undefined): Splice[] {
  if (!first || first.mainWorkflow !== undefined) return [];
  const value = mainWorkflowOf(document.tasks, first);
  return value === undefined
    ? []
    : [fieldSplice(document, first, { key: "Main-Workflow", value }, lineEndOf(document))];
}

function archiveText(document: Document, gone: readonly PlanTask[]): string {
  const lineEnd = lineEndOf(document);
  const head = [
    "# Coordinator Tasks",
    "",
    "Completed tasks that were cleared from the list.",
    "",
    "## Tasks",
    "",
    "",
  ];
  const pieces = gone.map(({ place }) => document.slice(place.whole.start, place.whole.end).trimEnd());
  return `${head.join(lineEnd)}${pieces.join(lineEnd + lineEnd)}${lineEnd}`;
}

const cannot: Problem = {
  code: "TASK_EDIT_LOST",
  message: "the list cannot be cleared without changing how the rest of it is read",
  hint: "Look at /coordinator/active.md: a fence or comment may not be closed. The section tool edits it.",
};
