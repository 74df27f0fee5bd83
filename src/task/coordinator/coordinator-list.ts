/**
 * The coordinator's list: one document, `/coordinator/active.md`, created on first use, worked from top to bottom, and
 * archived when nothing is left to do.
 */

import { activeList, type DocumentPath } from "../../document/address.ts";
import { Document } from "../../document/document.ts";
import type { Library } from "../../document/store.ts";
import type { TaskList } from "../../document/task-list.ts";
import type { PlanTask } from "../../plan/plan.ts";
import { oneLine } from "../../std/printable.ts";
import { stateOf } from "../record/task-record.ts";
import type { Workflows } from "../workflow/workflows.ts";

const emptyList = `# Coordinator Tasks

Sequential coordinator task list. Auto-archives when all tasks complete.

## Tasks
`;

export function coordinatorList(): Document {
  return Document.of(activeList, emptyList);
}

/** The task in progress; the first one if there are several, which only an editor can cause. */
export function currentTask(tasks: TaskList): PlanTask | undefined {
  return firstWith(tasks, (state) => state === "in_progress");
}

/** The next task in order; one that cannot be started is not skipped. */
export function nextTask(tasks: TaskList): PlanTask | undefined {
  return firstWith(tasks, (state) => state !== "in_progress" && state !== "completed");
}

function firstWith(
  tasks: TaskList,
  isWanted: (state: ReturnType<typeof stateOf>) => boolean,
): PlanTask | undefined {
  let at = 0;
  for (const facts of tasks.facts()) {
    if (isWanted(stateOf(facts))) return tasks.at(at);
    at += 1;
  }
  return undefined;
}

/** The main workflow that applies to a task: the list's, set by its first task, unless a later task sets another. */
export function mainWorkflowOf(tasks: TaskList, task: PlanTask): string | undefined {
  let name: string | undefined;
  for (const { id, mainWorkflow } of tasks.facts()) {
    name = mainWorkflow ?? name;
    if (id === task.id && name !== undefined) return name;
  }
  return name;
}

/** The available main workflows, each with its title. */
export function mainWorkflowNames(workflows: Workflows): string {
  const names = workflows
    .list()
    .filter(({ kind }) => kind === "main-workflow")
    .map(({ name, title }) => `${name} (${oneLine(title, 80)})`);
  const more = names.length > namesMax ? `; and ${names.length - namesMax} more` : "";
  return names.length === 0 ? "" : ` There are: ${names.slice(0, namesMax).join("; ")}${more}.`;
}

const namesMax = 20;

/** Never the path of an existing archive. */
export function listArchivePath(library: Library, at: string): DocumentPath {
  const [, day = "", time = ""] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)/.exec(at) ?? [];
  const name = `/archived/coordinator/active-${day}-${time.replaceAll(":", "")}`;
  for (let copy = 1; ; copy += 1) {
    const path = `${name}${copy === 1 ? "" : `-${copy}`}.md` as DocumentPath;
    const { document, problem } = library.read(path);
    if (!document && !problem) return path;
  }
}

/** The most recently archived list. */
export function lastArchive(library: Library): Document | undefined {
  const [path] = library
    .archive()
    .map((entry) => entry.path)
    .filter((each) => each.startsWith("/archived/coordinator/active-"))
    .toSorted((one, other) => (one.slice(0, -3) < other.slice(0, -3) ? 1 : -1));
  return path === undefined ? undefined : library.read(path).document;
}
