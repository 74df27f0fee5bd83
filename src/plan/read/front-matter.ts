/** The YAML between two `---` at the top of a document: its place and its entries. */

import type { FrontMatterPlace } from "../plan.ts";
import type { PlanFindings } from "../problem.ts";
import { readEntry, type SettingEntry } from "./entry.ts";
import { readYamlMap, type YamlSource } from "./yaml-tree.ts";

export interface FrontMatter {
  readonly place?: FrontMatterPlace;
  readonly entries: readonly SettingEntry[];
  /** Where the document's own text begins. */
  readonly end: number;
}

const planSource: YamlSource = {
  prefix: "PLAN",
  name: "the front matter",
  limitCode: "LIMIT_FRONT_MATTER",
};

export function readFrontMatter(text: string, findings: PlanFindings): FrontMatter {
  const { place, end } = findFrontMatter(text, { source: planSource, findings });
  if (!place) return { entries: [], end };
  const noting = { source: planSource, findings };
  const pairs = readYamlMap(text, place.yaml, noting)?.pairs ?? [];
  return { place, entries: pairs.flatMap((pair) => readEntry(text, pair, noting) ?? []), end };
}

/** Finds the front matter and where the text after it begins, without reading it. */
export function findFrontMatter(
  text: string,
  { source, findings }: { source: YamlSource; findings: PlanFindings },
): { readonly place?: FrontMatterPlace; readonly end: number } {
  const start = text.startsWith("\ufeff") ? 1 : 0;
  const open = /---[ \t]*\r?\n/y;
  open.lastIndex = start;
  if (!open.test(text)) return { end: start };
  const begin = open.lastIndex;
  const close = /^(?:---|\.\.\.)[ \t]*\r?$/gm;
  close.lastIndex = begin;
  const closing = close.exec(text);
  if (!closing) {
    if (/[\w-]+:(?:\s|$)/y.test(text.slice(begin, begin + 80))) {
      findings.warn(
        `${source.prefix}_OPEN_FRONT_MATTER`,
        { start, end: start + 3 },
        "the front matter is never closed, so its settings are not read",
        "Write a line with --- alone below the last setting.",
      );
    }
    return { end: start };
  }
  const feed = text.indexOf("\n", closing.index);
  const end = feed === -1 ? text.length : feed + 1;
  return { place: { whole: { start, end }, yaml: { start: begin, end: closing.index } }, end };
}
