/**
 * The attachments of a task in its prompt: its workflows, and the documents it refers to.
 *
 * A workflow is an instruction of the project and is included as it is. A document may contain anybody's words, and is
 * marked as such.
 */
import { oneLine } from "../../std/printable.ts";
import { sanitiseForPrompt } from "../../std/sanitise-for-prompt.ts";

export interface PromptAttachments {
  readonly workflow?: AttachedWorkflow;
  readonly mainWorkflow?: AttachedWorkflow;
  /** Nearest first. */
  readonly references: readonly AttachedReference[];
  /** References that did not exist when the run started, as they were written. */
  readonly missing: readonly string[];
  /** Addresses that were nested too deep or did not fit. */
  readonly leftOut: readonly string[];
}

export interface AttachedWorkflow {
  readonly name: string;
  readonly text: string;
}

export interface AttachedReference {
  /** `/a.md#b`. */
  readonly document: string;
  readonly text: string;
  /** Only its beginning fitted. */
  readonly isCut: boolean;
}

/** About six thousand tokens: five times what our own pages take. */
const workflowMax = 24_000;
/** The limit for one document; the total for one task is limited further when they are collected. */
const referenceMax = 48_000;
const namesMax = 20;

/** Titles with texts, in prompt order. */
export function attachmentSections({
  workflow,
  mainWorkflow,
  references,
  missing,
  leftOut,
}: PromptAttachments): readonly [title: string, text: string][] {
  const documentTexts = [
    ...references.map(referenceText),
    ...namesText(
      "Not included, because it is nested too deep or too long; look for it in .coxswain/docs",
      leftOut,
    ),
    ...namesText("Referred to, but missing when the run began", missing),
  ];
  return [
    ...(workflow ? [workflowText("How this task is worked", workflow)] : []),
    ...(mainWorkflow ? [workflowText("How the whole plan is worked", mainWorkflow)] : []),
    ["Documents it refers to, as they were when the run began", documentTexts.join("\n\n")],
  ];
}

function workflowText(what: string, { name, text }: AttachedWorkflow): [string, string] {
  return [
    `${what}: ${oneLine(name, 80)}`,
    sanitiseForPrompt(text.trim(), { charactersMax: workflowMax }).text,
  ];
}

function referenceText({ document, text, isCut }: AttachedReference): string {
  const { text: clean } = sanitiseForPrompt(text.trim(), { charactersMax: referenceMax });
  const cut = isCut ? "\n> … (cut)" : "";
  return `### ${oneLine(document, 300)}\n\n${clean.replace(/^/gm, "> ")}${cut}`;
}

function namesText(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, namesMax).map((name) => oneLine(name, 200));
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : "";
  return [`${what}: ${shown.join(", ")}${more}`];
}
