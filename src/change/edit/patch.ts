/**
 * Applies a unified diff to one file, exactly or not at all.
 *
 * Context and removed lines must match byte for byte. A hunk is first tried at its stated line, then searched for in
 * the whole file, where it must fit in exactly one place: models often get line numbers wrong, but must get contents
 * right. All hunks are located in the original file, so a misplaced one cannot shift the next. A missing final line
 * ending stays missing unless the patch mentions it. CRLF follows `line-ends.ts`.
 */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { find } from "./find.ts";
import { type Hunk, type HunkLine, parseHunks, wrong } from "./hunks.ts";
import { usesCrlf } from "./line-ends.ts";
import { joinLines, splitLines } from "./lines.ts";
import { nearest } from "./nearest.ts";
import type { ReplaceResult } from "./replace.ts";

/** `path` is the file's own path, used to recognise a patch for another file. */
export function applyPatch(bytes: Uint8Array, patch: string, path?: string): ReplaceResult {
  const parsed = parseHunks(patch, path);
  if ("problem" in parsed) return parsed;
  const crlf = usesCrlf(bytes);
  const hunks = crlf ? withCrlf(parsed.hunks) : parsed.hunks;

  const lines = splitLines(bytes);
  const lineEnd = crlf ? "\r\n" : "\n";
  const last = lines.at(-1);
  const completed = !parsed.marksEnd && last !== undefined && !last.endsWith("\n");
  if (completed) lines[lines.length - 1] = last + lineEnd;

  const splices: Splice[] = [];
  for (const [at, hunk] of hunks.entries()) {
    const place = locate(hunk, lines, `hunk ${at + 1}`);
    if ("problem" in place) return place;
    splices.push(...splicesOf(hunk, place.start));
  }
  splices.sort((one, other) => one.start - other.start);
  const overlap = splices.findIndex((each, at) => each.start < (splices[at - 1]?.end ?? 0));
  if (overlap >= 0) {
    const line = (splices[overlap]?.start ?? 0) + 1;
    return wrong(`two hunks change line ${line}`, "Change each line in one hunk only.");
  }

  const result = spliceLines(lines, splices);
  if (completed) dropLastLineEnd(result, lineEnd);
  const broken = result.findIndex((line, at) => !line.endsWith("\n") && at < result.length - 1);
  if (broken >= 0) {
    return wrong(`line ${broken + 1} of the result would have no line end, yet more lines follow`, endHint);
  }
  return { bytes: joinLines(result) };
}

const endHint = "Let `\\ No newline at end of file` follow only the last line of the file.";

/** Lines from `start` up to `end` are replaced by `by`. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly by: readonly string[];
}

function withCrlf(hunks: readonly Hunk[]): readonly Hunk[] {
  if (hunks.some((hunk) => hunk.lines.some(({ text }) => /\r\n?$/.test(text)))) return hunks;
  const converted = (line: HunkLine): HunkLine => ({ ...line, text: line.text.replace(/\n$/, "\r\n") });
  return hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(converted) }));
}

function locate(
  hunk: Hunk,
  lines: readonly string[],
  name: string,
): { start: number } | { problem: Problem } {
  const old = hunk.lines.filter(({ kind }) => kind !== "added").map(({ text }) => text);
  if (old.length === 0) return locateInsertion(hunk, lines, name);
  const stated = (hunk.line ?? 0) - 1;
  if (stated >= 0 && old.every((line, at) => lines[stated + at] === line)) return { start: stated };

  const places: number[] = [];
  for (const place of find(old, lines)) {
    places.push(place);
    if (places.length > placesShown) break;
  }
  const [only, second] = places;
  if (only === undefined) return { problem: notFound(old, lines, name) };
  if (second === undefined) return { start: only };
  const shown = places.slice(0, placesShown).map((place) => place + 1);
  const more = places.length > placesShown ? " and more" : "";
  const message = `${name} fits at lines ${shown.join(", ")}${more}${hunk.line === undefined ? "" : `, but not at line ${hunk.line} as it states`}`;
  return {
    problem: {
      code: "OPS_PATCH_AMBIGUOUS",
      message,
      hint: "Add unchanged lines around the change until it fits in one place only, or state the right line.",
      field: "patch",
    },
  };
}

const placesShown = 10;

/** With no existing line to match, only the stated position remains. */
function locateInsertion(
  hunk: Hunk,
  lines: readonly string[],
  name: string,
): { start: number } | { problem: Problem } {
  if (lines.length === 0) return { start: 0 };
  if (hunk.line !== undefined && hunk.statedOld === 0 && hunk.line <= lines.length)
    return { start: hunk.line };
  return {
    problem: {
      code: "OPS_PATCH_AMBIGUOUS",
      message: `${name} only adds lines and holds no unchanged line to place them by`,
      hint: "Add a few unchanged lines before and after, each beginning with a space.",
      field: "patch",
    },
  };
}

function notFound(old: readonly string[], lines: readonly string[], name: string): Problem {
  const wanted = decodeUtf8(joinLines(old));
  const place = nearest(wanted.replace(/\r?\n$/, ""), decodeUtf8(joinLines(lines)));
  return {
    code: "OPS_PATCH_NOT_FOUND",
    message: `the lines that ${name} expects, ${quote(wanted, 60)}, are not in the file; ${place.message}`,
    hint: place.hint,
    field: "patch",
  };
}

/** Only the changed lines: neighbouring hunks may share context. */
function splicesOf(hunk: Hunk, start: number): Splice[] {
  const splices: Splice[] = [];
  let at = start;
  let open: { start: number; end: number; by: string[] } | undefined;
  for (const { kind, text } of hunk.lines) {
    if (kind === "context") {
      open = undefined;
      at++;
      continue;
    }
    if (!open) {
      open = { start: at, end: at, by: [] };
      splices.push(open);
    }
    if (kind === "removed") open.end = ++at;
    else open.by.push(text);
  }
  return splices;
}

function spliceLines(lines: readonly string[], splices: readonly Splice[]): string[] {
  const result: string[] = [];
  let kept = 0;
  const take = (from: readonly string[], start: number, end: number) => {
    for (let at = start; at < end; at++) result.push(from[at] ?? "");
  };
  for (const { start, end, by } of splices) {
    take(lines, kept, start);
    take(by, 0, by.length);
    kept = end;
  }
  take(lines, kept, lines.length);
  return result;
}

function dropLastLineEnd(lines: string[], lineEnd: string): void {
  const last = lines.pop();
  if (last !== undefined) lines.push(last.endsWith(lineEnd) ? last.slice(0, -lineEnd.length) : last);
}
