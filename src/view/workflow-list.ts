/** Workflows for people and programs: which there are, where they come from, and when to use them. */
import { oneLine, printableLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { problemDocument } from "./text/document.ts";
import type { Paint } from "./text/paint.ts";
import { wrapped } from "./text/width.ts";

export interface ListedWorkflow {
  readonly name: string;
  readonly kind: "workflow" | "main-workflow";
  readonly title: string;
  readonly description: string;
  readonly source: "project" | "shipped";
}

export function workflowListText(
  workflows: readonly ListedWorkflow[],
  { columns, paint }: { columns: number; paint: Paint },
): string {
  const groups = [
    ["main-workflow", "Main workflows: how a whole list of tasks is coordinated (Main-Workflow: NAME)"],
    ["workflow", "Workflows: how a single task is done (Workflow: NAME)"],
  ] as const;
  const parts = groups.map(([kind, heading]) => {
    const rows = workflows.filter((one) => one.kind === kind).map((one) => rowText(one, { columns, paint }));
    return `${paint("bold", heading)}\n${rows.join("")}`;
  });
  return `${parts.join("\n")}\nRead one: cox workflows NAME\n`;
}

function rowText(
  { name, title, description, source }: ListedWorkflow,
  { columns, paint }: { columns: number; paint: Paint },
): string {
  const words = oneLine(description === "" ? title : description, 400);
  const width = Math.min(100, Math.max(40, columns)) - 4;
  const lines = wrapped(words, { width, lines: 4 }).map((line) => `    ${line}\n`);
  return `  ${paint("cyan", oneLine(name))}  ${paint("dim", source)}\n${lines.join("")}`;
}

export function workflowListDocument(workflows: readonly ListedWorkflow[], problems: readonly Problem[]) {
  return { ok: true, workflows: workflows.map(listed), warnings: problems.map(problemDocument) };
}

/** The page as it was written, except for characters that would act on a terminal. */
export function workflowPageText({ text }: { readonly text: string }): string {
  const lines = text.replace(/\n$/, "").split("\n");
  return `${lines.map((line) => printableLine(line, lineMax)).join("\n")}\n`;
}

const lineMax = 100_000;

export function workflowPageDocument(workflow: ListedWorkflow & { readonly text: string }) {
  return { ok: true, workflow: { ...listed(workflow), text: workflow.text } };
}

function listed({ name, kind, source, title, description }: ListedWorkflow) {
  return { name, kind, source, title, description };
}
