/**
 * Reads a workflow page from its file: `title` and `description` come from the front matter, the rest is for whoever
 * follows it. A page with bad front matter is still a page.
 */

import { PlanFindings, placedProblems } from "../../plan/problem.ts";
import { readEntry } from "../../plan/read/entry.ts";
import { plainKey } from "../../plan/read/field.ts";
import { findFrontMatter } from "../../plan/read/front-matter.ts";
import { scanLines } from "../../plan/read/lines.ts";
import { readYamlMap, type YamlSource } from "../../plan/read/yaml-tree.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { MarkdownFile } from "../../world/folders/markdown-folder.ts";
import type { Workflow } from "./workflows.ts";

export interface ReadWorkflow {
  /** Missing if nobody could follow it. */
  readonly workflow?: Workflow;
  readonly problems: readonly Problem[];
}

const source: YamlSource = {
  prefix: "WORKFLOW",
  name: "the front matter",
  limitCode: "LIMIT_FRONT_MATTER",
};

export function readWorkflow(
  file: MarkdownFile,
  { kind, source: origin }: Pick<Workflow, "kind" | "source">,
): ReadWorkflow {
  const { name, text } = file;
  if (!isWorkflowName(name)) {
    const hint =
      "Rename it: begin with a letter or digit; continue with letters, digits, - _ or . up to 64 of them.";
    return refused(file, "WORKFLOW_BAD_NAME", `${quote(name, 80)} is not a valid name for a workflow`, hint);
  }
  if (text.includes("\ufffd")) {
    return refused(file, "WORKFLOW_NOT_UTF8", "it is not valid UTF-8 text", "Save it as UTF-8.");
  }
  const findings = new PlanFindings();
  const { said, end } = readHead(text, findings);
  const page = text.slice(end).trim();
  if (page === "") {
    const hint = "Write what to do below the front matter, or remove the file.";
    return refused(file, "WORKFLOW_EMPTY", "it says nothing", hint);
  }
  const workflow: Workflow = {
    name,
    kind,
    title: oneLine(said.get("title") ?? firstHeading(page) ?? name, wordsMax),
    description: oneLine(said.get("description") ?? "", wordsMax),
    text: `${page}\n`,
    source: origin,
  };
  return { workflow, problems: placedProblems(text, findings.found).map((found) => onLine(file, found)) };
}

/** They are shown in lists and to models. */
const wordsMax = 500;
const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u;

function isWorkflowName(name: string): boolean {
  return namePattern.test(name);
}

function readHead(text: string, findings: PlanFindings) {
  const { place, end } = findFrontMatter(text, { source, findings });
  const pairs = place ? (readYamlMap(text, place.yaml, { source, findings })?.pairs ?? []) : [];
  const said = new Map<string, string>();
  for (const pair of pairs) {
    const key = plainKey(pair.key);
    // Other tools put their own keys of any shape there.
    if (key !== "title" && key !== "description") continue;
    const words = readEntry(text, pair, { source, findings })?.values[0]?.text.trim() ?? "";
    if (words !== "") said.set(key, words);
  }
  return { said, end };
}

function firstHeading(page: string): string | undefined {
  const heading = scanLines(page, 0).lines.find((line) => line.heading)?.heading;
  const words = heading && page.slice(heading.title.start, heading.title.end).trim();
  return words === "" ? undefined : words;
}

function onLine({ path }: MarkdownFile, { code, message, hint, line }: Problem & { line: number }): Problem {
  return { code, path, message: `${oneLine(path)}, line ${line}: ${message}`, hint };
}

function refused({ path }: MarkdownFile, code: string, why: string, hint: string): ReadWorkflow {
  return { problems: [{ code, path, message: `${oneLine(path)} is not read as a workflow: ${why}`, hint }] };
}
