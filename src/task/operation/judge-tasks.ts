/**
 * Judges a document as a whole after operations: every task must be in its place with a unique slug, and whatever the
 * new tasks name (workflows, other tasks) must exist.
 */

import { activeList } from "../../document/address.ts";
import type { Document } from "../../document/document.ts";
import type { ListedTask } from "../../document/task-list.ts";
import { idFromTitle } from "../../plan/id.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { mainWorkflowNames } from "../coordinator/coordinator-list.ts";
import type { HowTo } from "../how-to.ts";
import type { Workflows } from "../workflow/workflows.ts";
import { judgeDependencies } from "./judge-dependencies.ts";
import type { DoneOperation, OperationRules } from "./task-operation.ts";

export interface JudgedTasks {
  readonly before: Document;
  readonly after: Document;
  readonly done: readonly (DoneOperation & { readonly index: number })[];
  /** Whether `done` contains every operation of the call. */
  readonly isWhole: boolean;
}

export interface TaskJudgement {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

export function judgeTasks(
  { before, after, done, isWhole }: JudgedTasks,
  { workflows, how }: OperationRules,
): TaskJudgement {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const taken = takenSlugs(before);
  const counts = new Map<string, number>();
  for (const { id } of after.tasks.facts()) counts.set(id, (counts.get(id) ?? 0) + 1);
  const seen = new Set<string>();
  const circles = new Set<string>();
  for (const { slug, title, operation, index } of done) {
    const isFirst = !seen.has(slug) && !before.tasks.factsOf(slug);
    seen.add(slug);
    const isTwice = (counts.get(slug) ?? 0) > 1;
    if ((isTwice && !isFirst) || (operation === "create" && taken.has(slug))) {
      const isHere = before.tasks.factsOf(slug) !== undefined || taken.has(slug);
      problems.push({ ...duplicate(after, { slug, title, isHere }), index });
      continue;
    }
    if (isTwice) continue;
    const task = after.tasks.factsOf(slug);
    if (task?.title !== title) {
      problems.push({ ...lost(title), index });
      continue;
    }
    if (operation === "note") continue;
    const dependencies = judgeDependencies(after, task, how);
    const isOld = namesOf(before.tasks.factsOf(slug)) === namesOf(task);
    const circle = isOld ? undefined : dependencies.circle;
    const round = circle && [...circle.names].sort().join(" ");
    // If several tasks close the same cycle, only the first one reports it.
    const isReported = round === undefined || circles.has(round);
    if (round !== undefined) circles.add(round);
    const wrong = [...unknownWorkflows(workflows, task), ...(circle && !isReported ? [circle.problem] : [])];
    problems.push(...wrong.map((problem) => ({ ...problem, index })));
    warnings.push(...dependencies.warnings.map((problem) => ({ ...problem, index })));
    if (task.mainWorkflow !== undefined && after.path !== activeList) {
      warnings.push({ ...mainWorkflowHere(task), index });
    }
  }
  if (!isWhole) return { problems, warnings };
  const grown = done.filter(({ operation }) => operation === "create").length;
  if (problems.length === 0 && after.tasks.size !== before.tasks.size + grown)
    problems.push(lost(after.path));
  const first = after.tasks.at(0);
  // A note is no reason to judge the list.
  const isChanged = done.some(({ operation }) => operation !== "note");
  if (
    isChanged &&
    after.path === activeList &&
    first &&
    first.mainWorkflow === undefined &&
    problems.length === 0
  ) {
    problems.push(firstNeedsMain(first, { workflows, how }));
  }
  return { problems, warnings };
}

/** Checks that the workflows named in its fields exist. */
export function unknownWorkflows(
  workflows: Workflows,
  { workflow, mainWorkflow }: Pick<ListedTask, "workflow" | "mainWorkflow">,
): Problem[] {
  const found = [
    ...(mainWorkflow === undefined ? [] : [workflows.find("main-workflow", mainWorkflow)]),
    ...(workflow === undefined ? [] : [workflows.find("workflow", workflow)]),
  ];
  return found.flatMap((one) => ("problem" in one ? [one.problem] : []));
}

/** Headings of the document that are not tasks; otherwise `#slug` would name two things. */
function takenSlugs({ tasks }: Document): ReadonlySet<string> {
  return new Set(["tasks", ...tasks.otherTitles.map((title) => idFromTitle(title) as string)]);
}

interface Twin extends Pick<DoneOperation, "slug" | "title"> {
  /** The other task was already in the document. */
  readonly isHere: boolean;
}

function duplicate({ path, tasks }: Document, { slug, title, isHere }: Twin): Problem {
  let free = 2;
  while (tasks.factsOf(`${slug}-${free}`)) free += 1;
  return {
    code: "TASK_DUPLICATE_SLUG",
    path,
    message: `${quote(title, 60)} would have the slug ${oneLine(slug, 100)}, which ${isHere ? `${path} has already` : "another task of this call has too"}`,
    hint: `Give it another title, edit the task that is there, or pin a slug in content: - Id: ${oneLine(slug, 100)}-${free}`,
  };
}

function namesOf(task: ListedTask | undefined): string {
  return (task?.dependsOn ?? []).map(({ name }) => name).join(", ");
}

function mainWorkflowHere({ id }: ListedTask): Problem {
  return {
    code: "MAIN_WORKFLOW_IN_DOCS",
    message: `#${oneLine(id, 100)} has a Main-Workflow, which is only given out with the coordinator's list`,
    hint: "Use Workflow here, or put the task on the coordinator's list (coordinator_task).",
  };
}

function firstNeedsMain(
  { title }: ListedTask,
  { workflows, how }: { readonly workflows: Workflows; readonly how: HowTo },
): Problem {
  return {
    code: "MAIN_WORKFLOW_MISSING",
    path: activeList,
    message: `First coordinator task MUST have Main-Workflow field; ${quote(title, 60)} has none`,
    hint: `${how.sayMain}.${mainWorkflowNames(workflows)}`,
  };
}

function lost(what: string): Problem {
  return {
    code: "TASK_EDIT_LOST",
    message: `${quote(what, 60)} would not be read back as it was written`,
    hint: "Look at the document: a fence or comment above may not be closed, or a title is spelled in a way that means more.",
  };
}
