/**
 * Searches the files of a desk for a text or a regular expression.
 *
 * The expression comes from a model and may be crafted to run forever. So it runs where it can be stopped, line by
 * line, within a time budget for the whole search.
 */
import { createContext, runInContext } from "node:vm";
import { counted } from "../../std/counted.ts";
import { oneLine, printableLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { DeskAnswer, DeskLook, SeenFile } from "./desk-look.ts";

export interface DeskSearchQuery {
  readonly text: string;
  readonly isRegex?: boolean;
  readonly ignoreCase?: boolean;
  readonly folder?: string;
  /** A glob for the paths to search. */
  readonly pattern?: string;
}

/** The lines found, as `path:line: text`. */
export async function searchDesk(desk: DeskLook, query: DeskSearchQuery): Promise<DeskAnswer<string>> {
  const { text, folder, pattern } = query;
  if (text === "" || text.length > textMax) return { problem: badText(text.length) };
  const listing = desk.list({
    ...(folder !== undefined && { folder }),
    ...(pattern !== undefined && { pattern }),
  });
  if ("problem" in listing) return listing;
  const matcher = query.isRegex ? expressionMatcher(query) : literalMatcher(query);
  if ("problem" in matcher) return matcher;
  const found: string[] = [];
  let bytes = 0;
  let left = listing.seen.isCut ? "there are more files than were searched" : "";
  for (const [index, path] of listing.seen.paths.entries()) {
    // Let other work in this process continue.
    if (index % 5 === 4) await new Promise((later) => setImmediate(later));
    const file = desk.file(path);
    if ("problem" in file) continue;
    bytes += file.seen.text.length;
    const lines = matcher.lines(file.seen);
    if ("problem" in lines) return lines;
    found.push(...lines.seen.slice(0, perFileMax));
    if (found.length >= foundMax) left = "there are more; search in a folder, or for a longer text";
    if (bytes > bytesMax) left = "not all files were searched; name a folder";
    if (found.length >= foundMax || bytes > bytesMax) break;
  }
  const head = `${counted(found.length, "line")} found${left === "" ? "" : ` (${left})`}${found.length > 0 ? ":" : "."}`;
  return { seen: [head, ...found.slice(0, foundMax)].join("\n") };
}

const textMax = 500;
const foundMax = 200;
const perFileMax = 50;
const bytesMax = 64 * 1024 * 1024;
const lineMax = 300;
/** How much of a line is searched; longer lines are generated. */
const searchedMax = 10_000;
/** The time limit for one file. Nothing else in this process runs meanwhile, but nobody notices so short a time. */
const pieceMs = 100;
/** The time limit for all files together. */
const budgetMs = 2_000;

interface Matcher {
  lines(file: SeenFile): DeskAnswer<readonly string[]>;
}

function literalMatcher({ text, ignoreCase = false }: DeskSearchQuery): Matcher {
  const folded = (line: string) => (ignoreCase ? line.toLowerCase() : line);
  const wanted = folded(text);
  return {
    lines(file) {
      if (!folded(file.text).includes(wanted)) return { seen: [] };
      const lines = file.text.split("\n").entries();
      return { seen: [...lines].filter(([, line]) => folded(line).includes(wanted)).map(placed(file)) };
    },
  };
}

function expressionMatcher({
  text,
  ignoreCase = false,
}: DeskSearchQuery): Matcher | { readonly problem: Problem } {
  const flags = ignoreCase ? "i" : "";
  try {
    new RegExp(text, flags);
  } catch (error) {
    return { problem: badExpression(text, error) };
  }
  // Only strings go in and out: the expression cannot reach anything of ours.
  const context = createContext(Object.assign(Object.create(null), { text, flags, lines: "" }));
  runInContext("const expression = new RegExp(text, flags)", context);
  let leftMs = budgetMs;
  return {
    lines(file) {
      const lines = file.text.split("\n").map((line) => line.slice(0, searchedMax));
      context.lines = JSON.stringify(lines);
      const began = performance.now();
      try {
        const numbers = JSON.parse(
          runInContext(matching, context, { timeout: pieceMs }) as string,
        ) as number[];
        leftMs -= performance.now() - began;
        if (leftMs <= 0) return { problem: tooSlow(text) };
        return { seen: numbers.map((at) => placed(file)([at, lines[at] ?? ""])) };
      } catch {
        return { problem: tooSlow(text) };
      }
    },
  };
}

const matching =
  "JSON.stringify(JSON.parse(lines).flatMap((line, at) => (expression.test(line) ? [at] : [])))";

function placed({ path }: SeenFile): (line: [number, string]) => string {
  return ([at, line]) => `${path}:${at + 1}: ${printableLine(line, lineMax)}`;
}

function badText(length: number): Problem {
  return {
    code: "SEARCH_TEXT",
    message: `the text to look for has ${counted(length, "character")}; it must have 1 to ${textMax}`,
    hint: "Give a piece of one line.",
  };
}

function badExpression(text: string, error: unknown): Problem {
  return {
    code: "SEARCH_EXPRESSION",
    message: `${quote(text)} is not a regular expression: ${oneLine(String(error))}`,
    hint: "Correct it, or search for a plain text: regex: false.",
  };
}

function tooSlow(text: string): Problem {
  return {
    code: "SEARCH_SLOW",
    message: `the search for ${quote(text)} took too long and was given up`,
    hint: "Search for a plain text (regex: false), in a folder, or with a simpler expression.",
  };
}
