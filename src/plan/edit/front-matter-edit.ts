/**
 * Sets one scalar of the front matter: replaces it in place, adds it below the others, or creates a front matter.
 */
import { Document } from "yaml";
import type { Plan } from "../plan.ts";
import { PlanFindings } from "../problem.ts";
import { plainKey } from "../read/field.ts";
import { readFrontMatter } from "../read/front-matter.ts";
import { lineEndOf, type Splice } from "./splice.ts";

export function frontMatterSplice(text: string, { frontMatter }: Plan, key: string, value: string): Splice {
  const lineEnd = lineEndOf(text);
  const scalar = spelled(value);
  if (!frontMatter) {
    const at = text.startsWith("\ufeff") ? 1 : 0;
    const lines = ["---", `${key}: ${scalar}`, "---", ...(text.length > at ? [""] : []), ""];
    return { start: at, end: at, text: lines.join(lineEnd) };
  }
  const { entries } = readFrontMatter(text, new PlanFindings());
  const entry = entries.find((one) => one.key === plainKey(key));
  if (!entry) {
    const at = frontMatter.yaml.end;
    return { start: at, end: at, text: `${key}: ${scalar}${lineEnd}` };
  }
  const isEmpty = entry.value.end <= entry.value.start;
  const start = isEmpty ? text.indexOf(":", entry.name.end) + 1 : entry.value.start;
  return { start, end: isEmpty ? start : entry.value.end, text: isEmpty ? ` ${scalar}` : scalar };
}

/** A text as YAML writes it on one line. Numbers and booleans stay as they look. */
function spelled(value: string): string {
  if (/^(?:-?\d+(?:\.\d+)?|true|false)$/.test(value)) return value;
  return new Document(value).toString({ lineWidth: 0 }).trimEnd();
}
