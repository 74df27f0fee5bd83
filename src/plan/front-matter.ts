/**
 * The YAML between two `---` at the top of a document, as scalars and lists of scalars with their places. Nothing
 * deeper is read: no aliases, no objects, so no document can grow when it is read.
 */
import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from "yaml";
import { oneLine } from "../std/printable.ts";
import { plainKey } from "./field.ts";
import type { FrontMatterPlace, Span } from "./plan.ts";
import type { Findings } from "./problem.ts";

export interface Entry {
  /** In lower case, with hyphens. */
  readonly key: string;
  readonly name: Span;
  /** Scalars as they are spelled in the source; a list keeps its order. */
  readonly values: readonly { readonly text: string; readonly at: Span }[];
  readonly value: Span;
  readonly isList: boolean;
}

export interface FrontMatter {
  readonly place?: FrontMatterPlace;
  readonly entries: readonly Entry[];
  /** Where the document's own text begins. */
  readonly end: number;
}

/** No front matter that a person writes is near it. */
const yamlLengthMax = 64 * 1024;

export function readFrontMatter(text: string, findings: Findings): FrontMatter {
  const start = text.startsWith("\ufeff") ? 1 : 0;
  const open = /---[ \t]*\r?\n/y;
  open.lastIndex = start;
  if (!open.test(text)) return { entries: [], end: start };
  const begin = open.lastIndex;
  const close = /^(?:---|\.\.\.)[ \t]*\r?$/gm;
  close.lastIndex = begin;
  const closing = close.exec(text);
  if (!closing) {
    if (/[\w-]+:(?:\s|$)/y.test(text.slice(begin, begin + 80))) {
      findings.warn(
        "PLAN_OPEN_FRONT_MATTER",
        { start, end: start + 3 },
        "the front matter is never closed, so its settings are not read",
        "Write a line with --- alone below the last setting.",
      );
    }
    return { entries: [], end: start };
  }
  const yaml = { start: begin, end: closing.index };
  const feed = text.indexOf("\n", closing.index);
  const end = feed === -1 ? text.length : feed + 1;
  return { place: { whole: { start, end }, yaml }, entries: readYaml(text, yaml, findings), end };
}

function readYaml(text: string, { start, end }: Span, findings: Findings): Entry[] {
  if (end - start > yamlLengthMax) {
    const message = `the front matter has ${end - start} characters; the limit is ${yamlLengthMax}`;
    findings.block(
      "LIMIT_FRONT_MATTER",
      { start, end },
      message,
      "Move what is no setting into the text below it.",
    );
    return [];
  }
  const document = parsed(text.slice(start, end));
  if (!document) {
    findings.block(
      "PLAN_BAD_YAML",
      { start, end },
      "the front matter is nested too deeply",
      "Write `key: value` lines.",
    );
    return [];
  }
  for (const { message, pos } of document.errors) {
    const [what = ""] = message.split(/ at line \d+|\n/);
    const at = { start: start + pos[0], end: start + Math.max(pos[1], pos[0] + 1) };
    const hint = "Write `key: value` lines; put a value with : or # in it into quotes.";
    findings.block("PLAN_BAD_YAML", at, `the front matter is no YAML: ${oneLine(what)}`, hint);
  }
  const { contents } = document;
  if (contents === null) return [];
  if (!isMap(contents)) {
    if (document.errors.length === 0) {
      const message = "the front matter is no list of settings";
      findings.block(
        "PLAN_BAD_YAML",
        { start, end },
        message,
        "Write `key: value` lines between the two ---.",
      );
    }
    return [];
  }
  return contents.items.flatMap(({ key, value }) => {
    const entry = isScalar(key) ? readEntry(key, value as Node | null, start, text) : undefined;
    if (!entry) return [];
    if ("entry" in entry) return [entry.entry];
    findings.block("PLAN_BAD_YAML", entry.at, entry.wrong, "Write a plain value, or a list of plain values.");
    return [];
  });
}

function parsed(yaml: string) {
  try {
    return parseDocument(yaml, { logLevel: "silent", keepSourceTokens: false, strict: true });
  } catch {
    // Thousands of open brackets exhaust the parser's stack.
    return undefined;
  }
}

function readEntry(key: Node, value: Node | null, offset: number, text: string) {
  const name = spanOf(key, offset);
  const spelled = isScalar(key) ? String(key.value) : "";
  const at = value ? spanOf(value, offset) : { start: name.end, end: name.end };
  const wrong = `${oneLine(spelled, 60)} has a value that is neither plain nor a list of plain values`;
  const nodes = value === null ? [] : isSeq(value) ? (value.items as Node[]) : [value];
  if (isAlias(value) || !nodes.every((node) => isScalar(node))) return { wrong, at };
  const values = nodes.filter(isScalar).map((node) => ({
    // As it is spelled: 1e3 and 0x10 are for the reader of the value to judge.
    text: typeof node.value === "string" ? node.value : (node.source ?? "").trim(),
    at: spanOf(node, offset),
  }));
  const isList = isSeq(value);
  const entry: Entry = {
    key: plainKey(spelled),
    name,
    values: isList ? values : values.filter((one) => one.text !== ""),
    value: trimmedEnd(text, at),
    isList,
  };
  return { entry };
}

function spanOf(node: Node, offset: number): Span {
  const [start, end] = node.range ?? [0, 0];
  return { start: offset + start, end: offset + end };
}

function trimmedEnd(text: string, { start, end }: Span): Span {
  let to = end;
  while (to > start && /\s/.test(text[to - 1] ?? "")) to -= 1;
  return { start, end: to };
}
