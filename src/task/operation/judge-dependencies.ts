/**
 * Judges what a task depends on: tasks that are not done, tasks that do not exist, and cycles of tasks that wait for
 * each other forever.
 */

import { activeList } from "../../document/address.ts";
import type { Document } from "../../document/document.ts";
import type { ListedTask, TaskList } from "../../document/task-list.ts";
import { closestName } from "../../std/closest-name.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { HowTo } from "../how-to.ts";

/** Why a task must wait; undefined if everything it depends on is done. */
export function whyWaiting(document: Document, task: ListedTask, how: HowTo): Problem | undefined {
  const { path, tasks } = document;
  const unmet = task.dependsOn.map(({ name }) => name).filter((name) => !tasks.factsOf(name)?.isDone);
  if (unmet.length === 0) return undefined;
  const circle = circleOf(tasks, task.id);
  if (circle) return { ...circular(circle), code: "TASK_WAITS", path, hint: toCut(task, { path, how }) };
  const missing = unmet.filter((name) => !tasks.factsOf(name));
  const [open] = unmet.filter((name) => tasks.factsOf(name));
  const parts = [
    ...some(
      unmet.filter((name) => !missing.includes(name)),
      "not completed",
    ),
    ...some(missing, "no task of this document"),
  ];
  const address = { path, slug: task.id };
  const later = open === undefined ? undefined : outOfOrder(document, task, { name: open, how });
  const hints = [
    ...(missing.length > 0
      ? [
          `Name tasks that are there${nearest(tasks, missing[0] ?? "")}: ${how.toEdit(address, "content with another Depends-On")}.`,
        ]
      : []),
    ...(open === undefined
      ? []
      : [later ?? `Complete #${oneLine(open, 100)} first, or ${how.toEdit(address, without)}.`]),
  ];
  return {
    code: "TASK_WAITS",
    path,
    message: `#${oneLine(task.id, 100)} depends on ${parts.join(", and on ")}`,
    hint: hints.join(" "),
  };
}

export interface JudgedDependencies {
  readonly circle?: { readonly names: ReadonlySet<string>; readonly problem: Problem };
  readonly warnings: readonly Problem[];
}

/** The problems and warnings when somebody writes that a task depends on others. */
export function judgeDependencies(document: Document, task: ListedTask, how: HowTo): JudgedDependencies {
  const { tasks } = document;
  const circle = circleOf(tasks, task.id);
  if (circle) return { circle: { names: new Set(circle), problem: circular(circle) }, warnings: [] };
  const warnings = task.dependsOn.flatMap(({ name }): Problem[] => {
    if (!tasks.factsOf(name)) return [unknown(tasks, task, name)];
    const hint = tasks.factsOf(name)?.isDone ? undefined : outOfOrder(document, task, { name, how });
    const message = `#${oneLine(task.id, 100)} depends on #${oneLine(name, 100)}, which is below it in a list that is worked on from top to bottom`;
    return hint === undefined ? [] : [{ code: "TASK_ORDER", message, hint }];
  });
  return { warnings };
}

/** The shortest dependency cycle through a task; undefined if there is none. */
function circleOf(tasks: TaskList, id: string): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const ahead: string[] = [id];
  for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
    for (const { name } of tasks.factsOf(next)?.dependsOn ?? []) {
      if (name === id) return pathTo(next, { cameFrom, id });
      if (cameFrom.has(name) || !tasks.factsOf(name)) continue;
      cameFrom.set(name, next);
      ahead.push(name);
    }
  }
  return undefined;
}

function pathTo(
  last: string,
  { cameFrom, id }: { readonly cameFrom: ReadonlyMap<string, string>; readonly id: string },
): string[] {
  const path = [id];
  for (let at: string | undefined = last; at !== undefined && at !== id; at = cameFrom.get(at))
    path.unshift(at);
  return [id, ...path];
}

const without = "content without that Depends-On";

function circular(circle: readonly string[]): Problem {
  const shown = circle.length > 12 ? [...circle.slice(0, 10), "…", ...circle.slice(-1)] : circle;
  const cycle = shown.map((name) => (name === "…" ? name : `#${oneLine(name, 60)}`)).join(" → ");
  const words = circle.length === 2 ? "it waits for itself" : "they wait for each other";
  return {
    code: "TASK_CIRCLE",
    message: `${cycle}: by their Depends-On ${words} forever`,
    hint: "Leave one of these Depends-On out.",
  };
}

function toCut({ id }: ListedTask, { path, how }: { readonly path: Document["path"]; readonly how: HowTo }) {
  return `Leave one of these Depends-On out, for example: ${how.toEdit({ path, slug: id }, without)}.`;
}

function some(names: readonly string[], what: string): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, 5).map((name) => `#${oneLine(name, 100)}`);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : "";
  return [`${shown.join(", ")}${more}, which ${names.length === 1 ? "is" : "are"} ${what}`];
}

/** In the coordinator's list, which is worked in order: how to move up what a task depends on. */
function outOfOrder(
  { path, tasks }: Document,
  { id }: ListedTask,
  { name, how }: { readonly name: string; readonly how: HowTo },
): string | undefined {
  if (path !== activeList || tasks.indexOf(name) < tasks.indexOf(id)) return undefined;
  const areHeadings = [id, name].every((each) => tasks.factsOf(each)?.form === "heading");
  return `Move #${oneLine(name, 100)} up: ${how.toMove({ path, before: id, from: name, areHeadings })}.`;
}

function nearest(tasks: TaskList, name: string): string {
  const near = closestName(
    name,
    Array.from(tasks.facts(), ({ id }) => id as string),
  );
  return near === undefined ? "" : ` (did you mean #${near}?)`;
}

function unknown(tasks: TaskList, { id }: ListedTask, name: string): Problem {
  const others = Array.from(tasks.facts(), (each) => each.id as string).filter((each) => each !== id);
  const near = closestName(name, others);
  return {
    code: "TASK_UNKNOWN_DEPENDENCY",
    message: `#${oneLine(id, 100)} depends on ${quote(name, 60)}, which is not a task here: it cannot be started until there is one`,
    hint: near === undefined ? "Name a task of the same document by its slug." : `Did you mean #${near}?`,
  };
}
