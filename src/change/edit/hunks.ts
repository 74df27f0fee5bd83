/**
 * Reads a unified diff of one file into hunks.
 *
 * Models miscount, so the counts in `@@ -l,n +l,n @@` are not trusted: a hunk is as long as its lines are. The counts
 * have one use: telling a removed line that begins with "-- " from the header of another file.
 */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { fromBytes } from "./lines.ts";

export interface Hunk {
  /** Stated line number of its first old line, from 1, if the header gives one. */
  readonly line?: number;
  /** Stated number of old lines. If it is 0, `line` is the line to insert after. */
  readonly statedOld?: number;
  readonly lines: readonly HunkLine[];
}

export interface HunkLine {
  readonly kind: "context" | "removed" | "added";
  /** One character per byte, with a line ending unless the patch says that there is none. */
  readonly text: string;
}

export type Hunks =
  | {
      readonly hunks: readonly Hunk[];
      /** Whether `\ No newline at end of file` occurs. */
      readonly marksEnd: boolean;
    }
  | { readonly problem: Problem };

export function parseHunks(patch: string, path?: string): Hunks {
  const lines = splitPatch(patch);
  const hunks: OpenHunk[] = [];
  let marksEnd = false;
  let hunk: OpenHunk | undefined;
  let headed = false;

  for (const [at, line] of lines.entries()) {
    const header = hunkHeader.exec(line);
    if (header) {
      hunk = openHunk(header);
      hunks.push(hunk);
      continue;
    }
    if (hunk?.isFull() && (isFileHeader(lines, at) || endsHunk.test(line) || isSignature(lines, at))) {
      hunk = undefined;
      headed = false;
    }
    if (!hunk) {
      const header = /^(?:---|\+\+\+) /.test(line);
      const named = header ? otherFile(line, path) : undefined;
      if (named) return wrong(`line ${at + 1} names another file, ${quote(named)}`, oneFileHint);
      // Text before the header is a mail or git's own notes; between header and hunk it means that a hunk was lost.
      const lost = headed && !header && line.trim() !== "";
      if (lost || unsupported.test(line)) return wrong(`line ${at + 1} is ${quote(line)}`, unifiedHint);
      headed ||= line.startsWith("+++ ");
      continue;
    }
    if (line.startsWith("\\")) {
      marksEnd = true;
      hunk.endLast();
      continue;
    }
    if (!hunk.add(line)) {
      return wrong(`line ${at + 1}, ${quote(line, 60)}, begins with none of space, "+", "-"`, prefixHint);
    }
  }

  for (const each of hunks) each.close();
  if (hunks.length === 0) return wrong("it holds no hunk", unifiedHint);
  const idle = hunks.findIndex((each) => each.lines.every(({ kind }) => kind === "context"));
  if (idle >= 0) return wrong(`hunk ${idle + 1} adds and removes nothing`, prefixHint);
  return { hunks, marksEnd };
}

const hunkHeader = /^@@(?: -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))?(?=\s|$)|\s|$)/;
const endsHunk = /^(?:diff |Index: |index |={60})/;
const unsupported = /^(?:\*\*\* |rename (?:from|to) |copy (?:from|to) |GIT binary patch|Binary files )/;

const unifiedHint =
  "Give a unified diff of this one file: `@@ -line,count +line,count @@`, then lines that begin with space, `-` or `+`.";
const oneFileHint = "Make one operation for each file, its patch naming that file only.";
const prefixHint =
  "Begin each unchanged line with a space, each removed one with `-`, each added one with `+`.";

export function wrong(what: string, hint: string): { problem: Problem } {
  return {
    problem: { code: "OPS_PATCH_SYNTAX", message: `patch cannot be read: ${what}`, hint, field: "patch" },
  };
}

/** If the whole patch is written with CRLF, that says nothing about the file. */
function splitPatch(patch: string): string[] {
  const lines = patch.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (lines.every((line) => line.endsWith("\r"))) return lines.map((line) => line.slice(0, -1));
  return lines;
}

interface OpenHunk extends Hunk {
  readonly lines: HunkLine[];
  add(line: string): boolean;
  /** Removes the line ending of the last line. */
  endLast(): void;
  /** Whether the stated counts are reached; also true when there are none. */
  isFull(): boolean;
  close(): void;
}

function openHunk(header: RegExpExecArray): OpenHunk {
  const [, line, oldCount, newLine, newCount] = header;
  const lines: HunkLine[] = [];
  let oldLeft = newLine === undefined ? 0 : Number(oldCount ?? 1);
  let newLeft = newLine === undefined ? 0 : Number(newCount ?? 1);
  let bare = 0;
  return {
    ...(line === undefined ? {} : { line: Number(line), statedOld: oldLeft }),
    lines,
    add(text) {
      const kind = text === "" ? "context" : kinds.get(text.charAt(0));
      if (!kind) return false;
      bare = text === "" ? bare + 1 : 0;
      if (kind !== "added") oldLeft--;
      if (kind !== "removed") newLeft--;
      lines.push({ kind, text: `${fromBytes(encodeUtf8(text.slice(1)))}\n` });
      return true;
    },
    endLast() {
      const last = lines.pop();
      if (last) lines.push({ kind: last.kind, text: last.text.replace(/\n$/, "") });
    },
    isFull: () => oldLeft <= 0 && newLeft <= 0,
    close() {
      // An empty line inside a hunk is an empty context line that lost its space; after the hunk it is only layout.
      lines.length -= bare;
    },
  };
}

const kinds: ReadonlyMap<string, HunkLine["kind"]> = new Map([
  [" ", "context"],
  ["-", "removed"],
  ["+", "added"],
]);

function isFileHeader(lines: readonly string[], at: number): boolean {
  return Boolean(lines[at]?.startsWith("--- ") && lines[at + 1]?.startsWith("+++ "));
}

/** The signature at the end of `git format-patch` output. */
function isSignature(lines: readonly string[], at: number): boolean {
  return lines[at] === "-- " && /^\d+\.\d+/.test(lines[at + 1] ?? "");
}

/** The file named by a `---` or `+++` line, if it is not the one the patch is for. */
function otherFile(line: string, path: string | undefined): string | undefined {
  const name = (line.slice(4).split("\t")[0] ?? "").trim().replace(/^"(.*)"$/, "$1");
  if (path === undefined || name === "/dev/null" || name === "") return undefined;
  const spellings = [name, name.replace(/^[a-z]\//, ""), name.replace(/^\.\//, "")];
  const isMeant = spellings.some(
    (each) => each === path || path.endsWith(`/${each}`) || each.endsWith(`/${path}`),
  );
  return isMeant ? undefined : name;
}
