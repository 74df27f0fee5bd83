/** Workflows as prompts: a person picks one in their client, optionally with the task it is for. */
import type { GetPromptResult, Prompt } from "@modelcontextprotocol/server";
import { readAddress } from "../../document/address.ts";
import type { Library } from "../../document/store.ts";
import { closestName } from "../../std/closest-name.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { Workflow, Workflows } from "../../task/workflow/workflows.ts";

export function listPrompts(workflows: Workflows): Prompt[] {
  return named(workflows).map(([name, { title, description }]) => ({
    name,
    title,
    description,
    arguments: [
      { name: "task", description: "What it is for: a task (/api.md#slug) or a few words", required: false },
    ],
  }));
}

export interface PromptRequest {
  readonly name: string;
  readonly task?: string | undefined;
}

export function getPrompt(
  { workflows, store }: { readonly workflows: Workflows; readonly store: Library },
  { name, task }: PromptRequest,
): GetPromptResult | { readonly problem: Problem } {
  const prompts = named(workflows);
  const [, workflow] = prompts.find(([one]) => one === name) ?? [];
  if (!workflow)
    return {
      problem: unknownPrompt(
        name,
        prompts.map(([one]) => one),
      ),
    };
  const about = task === undefined || task.trim() === "" ? "" : `\n\nTask: ${task}${taskText(store, task)}`;
  const text = `Follow this workflow.\n\n${workflow.text.trimEnd()}${about}\n`;
  return { description: workflow.description, messages: [{ role: "user", content: { type: "text", text } }] };
}

/** A workflow and a main workflow may share a name; prompts may not. */
function named(workflows: Workflows): (readonly [name: string, workflow: Workflow])[] {
  const all = workflows.list();
  const plain = new Set(all.filter(({ kind }) => kind === "workflow").map(({ name }) => name));
  return all.map((one) => {
    const isTaken = one.kind === "main-workflow" && plain.has(one.name);
    return [isTaken ? `${one.name}-main` : one.name, one];
  });
}

/** The text of the named task; empty if it was described in words instead. */
function taskText(store: Library, task: string): string {
  const read = readAddress(task);
  if (!("address" in read) || read.address.slug === undefined) return "";
  const { document } = store.read(read.address.path);
  const section = document?.sections.find(read.address.slug);
  if (!document || !section) return "";
  return `\n\n${document.slice(section.whole.start, section.whole.end).trimEnd()}`;
}

function unknownPrompt(name: string, names: readonly string[]): Problem {
  const near = closestName(name, names);
  return {
    code: "WORKFLOW_UNKNOWN",
    message: `there is no workflow ${quote(name, 60)}`,
    hint: near ? `Did you mean ${near}?` : `There are: ${names.join(", ") || "none"}`,
  };
}
