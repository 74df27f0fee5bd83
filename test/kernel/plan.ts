/**
 * Plans with one line per task, as a test would say them: `"b after a : src/x.ts"`.
 *
 * Words after the id: `after x y`, `: files`, `shares names`, `audited`, `unchecked` (no verify commands), `done`, and
 * a priority. Everything else is as in a plan of three bullets with one verify command.
 */
import type { RecordedTask, RunSettings, RunStarted } from "../../src/kernel/run-started.ts";
import type { TaskId } from "../../src/plan/plan.ts";
import type { Priority } from "../../src/plan/value-readers.ts";
import { someCommit, someTree } from "./some-object-ids.ts";
import { usualSettings } from "./usual-settings.ts";

type Line = string | (Partial<RecordedTask> & { readonly line: string });

export function plan(first: Line | Partial<RunSettings>, ...rest: readonly Line[]): RunStarted {
  const isLine = typeof first === "string" || "line" in first;
  const lines = isLine ? [first, ...rest] : rest;
  return {
    run: "r1",
    title: "a plan",
    plan_file: "plan.md",
    plan_sha256: "0".repeat(64),
    config_sha256: "1".repeat(64),
    base: someCommit("base"),
    base_tree: someTree("base-tree"),
    branch: "cox/r1",
    by: { who: "ana", door: "command" },
    settings: { ...usualSettings, ...(isLine ? {} : first) },
    tasks: lines.map((line) =>
      typeof line === "string" ? taskOf(line) : { ...taskOf(line.line), ...withoutLine(line) },
    ),
  };
}

export const asId = (id: string) => id as TaskId;

function withoutLine({ line: _, ...facts }: Extract<Line, object>): Partial<RecordedTask> {
  return facts;
}

const priorities: readonly string[] = ["critical", "high", "normal", "low"];

function taskOf(line: string): RecordedTask {
  const [id = "", ...words] = line.split(/[\s,]+/);
  const lists: Record<string, string[]> = { after: [], ":": [], shares: [] };
  const flags = new Set<string>();
  let list: string[] | undefined;
  for (const word of words) {
    if (word in lists) list = lists[word];
    else if (["audited", "unchecked", "done", ...priorities].includes(word)) flags.add(word);
    else if (list) list.push(word);
    else throw new Error(`"${word}" of "${line}" is no word of a plan in a test`);
  }
  return {
    task: asId(id),
    key: id,
    task_id: `${id}_0`,
    title: id,
    agent: "dev",
    depends_on: (lists.after ?? []).map(asId),
    priority: (priorities.find((word) => flags.has(word)) ?? "normal") as Priority,
    writes: lists[":"] ?? [],
    deletes: [],
    shares: lists.shares ?? [],
    verify: flags.has("unchecked") ? [] : ["npm test"],
    ...(flags.has("audited") ? { auditor: "auditor" } : {}),
    ...(flags.has("done") ? { done: true } : {}),
  };
}
