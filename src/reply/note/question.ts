/**
 * A question that only a person can answer, read from what an agent wrote after its signal.
 *
 * `Question:`, `Options:` and `Context:` (or `Why:`) begin a part; list items are options; text before any of these is
 * the question.
 */
import { cutAt } from "../../std/cut.ts";

export interface AgentQuestion {
  readonly text: string;
  readonly options: readonly string[];
  readonly why?: string;
}

/** Undefined if nothing is asked. */
export function questionIn(words: string): AgentQuestion | undefined {
  const parts: Record<Part, string[]> = { text: [], options: [], why: [] };
  let part: Part = "text";
  for (const line of cutAt(words, wordsMax).kept.split("\n")) {
    const labelled = labelOf(line);
    if (labelled !== undefined) part = labelled.part;
    const said = (labelled?.rest ?? line).trim();
    const item = listItem(said);
    if (part === "options") parts.options.push(...(item === undefined ? said.split(/[|;]/) : [item]));
    else if (part === "text" && item !== undefined && parts.text.some(isSaid)) parts.options.push(item);
    else parts[part].push(said);
  }
  const text = joined(parts.text);
  // If there is only a context and choices, the context is the question.
  const asked = text === "" ? joined(parts.why) : text;
  return asked === ""
    ? undefined
    : toQuestion({ text: asked, options: parts.options, why: joined(parts.why) });
}

export interface WireQuestion {
  readonly text: string;
  readonly options?: readonly string[] | undefined;
  readonly why?: string | undefined;
}

/** Bounded, because it is shown to a person and kept in the log. */
export function toQuestion({ text, options = [], why = "" }: WireQuestion): AgentQuestion {
  const choices = options.map((option) => cutAt(option.trim(), optionMax).kept).filter(isSaid);
  return {
    text: cutAt(text.trim(), textMax).kept,
    options: choices.slice(0, optionsMax),
    ...(isSaid(why) && why !== text && { why: cutAt(why.trim(), textMax).kept }),
  };
}

type Part = "text" | "options" | "why";

const labels: Readonly<Record<string, Part>> = {
  question: "text",
  options: "options",
  context: "why",
  why: "why",
};

/** `Question: …`, also in bold. */
function labelOf(line: string): { part: Part; rest: string } | undefined {
  const colon = line.indexOf(":");
  if (colon === -1 || colon > 20) return undefined;
  const name = line.slice(0, colon).replaceAll("*", "").trim().toLowerCase();
  const part = Object.hasOwn(labels, name) ? labels[name] : undefined;
  if (part === undefined) return undefined;
  const rest = line.slice(colon + 1);
  return { part, rest: rest.startsWith("**") ? rest.slice(2) : rest };
}

function listItem(line: string): string | undefined {
  const mark = /^(?:[-*•]|[0-9]{1,2}[.)]|[a-zA-Z][.)]) /.exec(line)?.[0];
  return mark === undefined ? undefined : line.slice(mark.length).trim();
}

function joined(lines: readonly string[]): string {
  return lines.join("\n").trim();
}

function isSaid(text: string): boolean {
  return text.trim() !== "";
}

const wordsMax = 10_000;
const textMax = 4_000;
const optionsMax = 20;
const optionMax = 500;
