/** How two trees differ, file by file: one line each with counts, a full diff, or a document. */
import type { Change } from "../../change/change.ts";
import { counted, grouped } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import { size } from "../../std/size.ts";
import { differenceLines, type LineCounts, lineCounts } from "./difference.ts";
import { noPaint, type Paint } from "./paint.ts";

export interface TreeDifference {
  readonly changes: readonly Change[];
  readonly links: readonly { readonly path: string; readonly target?: string }[];
  /** The bytes of one side of a change, by hash. */
  bytes(sha256: string): Uint8Array;
}

/** Nobody reads the ten-thousandth line; git shows them all. */
const fileLinesMax = 1000;
const allLinesMax = 10_000;

export function treeDifferenceText(difference: TreeDifference, paint: Paint): string {
  const blocks: string[][] = [];
  let left = allLinesMax;
  let leftOut = 0;
  for (const file of filesOf(difference)) {
    if (left <= 0) leftOut += 1;
    else {
      const lines = fileLines(file, Math.min(fileLinesMax, left), paint);
      blocks.push(lines);
      left -= lines.length;
    }
  }
  blocks.push(...difference.links.map((link) => [linkWords(link)]));
  if (leftOut > 0) blocks.push([paint("dim", `… ${counted(leftOut, "more file")}`)]);
  return blocks.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

export function treeDifferenceStat(difference: TreeDifference, paint: Paint): string {
  const files = filesOf(difference);
  const width = Math.min(60, Math.max(0, ...files.map(({ path }) => oneLine(path).length)));
  const rows = files.map((file) => {
    const counts = file.isBinary ? undefined : lineCounts(file);
    const words = counts ? countWords(counts, paint) : sizeWords(file);
    return `${marks[file.status]} ${oneLine(file.path).padEnd(width)}  ${words}`;
  });
  const links = difference.links.map((link) => `  ${linkWords(link)}`);
  const sum = files.reduce(
    (all, file) => {
      const { added = 0, removed = 0 } = (file.isBinary ? undefined : lineCounts(file)) ?? {};
      return { added: all.added + added, removed: all.removed + removed };
    },
    { added: 0, removed: 0 },
  );
  const total = `${counted(files.length + difference.links.length, "file")}, ${countWords(sum, paint)}`;
  return [...rows, ...links, total, ""].join("\n");
}

export function treeDifferenceDocument(difference: TreeDifference, { diff }: { readonly diff: boolean }) {
  const files = filesOf(difference).map((file) => {
    const counts = file.isBinary ? undefined : lineCounts(file);
    return {
      path: file.path,
      status: file.status,
      added: counts?.added ?? null,
      removed: counts?.removed ?? null,
      mode: file.mode?.after ?? null,
      ...(diff && { diff: file.isBinary ? null : differenceLines(file, fileLinesMax) }),
    };
  });
  return { files, links: difference.links.map(({ path, target }) => ({ path, target: target ?? null })) };
}

/** Each file separately, with at most `linesMax` lines. */
export function fileDifferences(difference: TreeDifference, linesMax: number) {
  return filesOf(difference).map((file) => ({ path: file.path, lines: fileLines(file, linesMax, noPaint) }));
}

interface FileDifference {
  readonly path: string;
  readonly status: keyof typeof marks;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  readonly isBinary: boolean;
  /** Set if the mode changed. */
  readonly mode?: { readonly before: string; readonly after: string };
}

const marks = { added: "+", deleted: "-", changed: "~" } as const;

function filesOf({ changes, bytes }: TreeDifference): FileDifference[] {
  return changes.map(({ path, pre, post }) => {
    const before = pre && bytes(pre.sha256);
    const after = post && bytes(post.sha256);
    const isChmod = pre && post && pre.mode !== post.mode;
    return {
      path,
      status: !pre ? "added" : !post ? "deleted" : "changed",
      before,
      after,
      isBinary: isBinary(before) || isBinary(after),
      ...(isChmod && { mode: { before: pre.mode.toString(8), after: post.mode.toString(8) } }),
    };
  });
}

/** Detected as git does: a NUL near the beginning. */
function isBinary(bytes: Uint8Array | undefined): boolean {
  return bytes?.subarray(0, 8000).includes(0) ?? false;
}

function fileLines(file: FileDifference, linesMax: number, paint: Paint): string[] {
  const { path, mode, isBinary: isOpaque } = file;
  const chmod = mode ? [paint("dim", `mode of ${oneLine(path)}: ${mode.before} → ${mode.after}`)] : [];
  if (isOpaque) return [...chmod, `${marks[file.status]} ${oneLine(path)}  ${sizeWords(file)}`];
  // A mode change alone changes no lines.
  if (mode && lineCounts(file)?.added === 0 && lineCounts(file)?.removed === 0) return chmod;
  return [...chmod, ...differenceLines(file, linesMax, paint)];
}

function countWords({ added, removed }: LineCounts, paint: Paint): string {
  return `${paint("green", `+${grouped(added)}`)} ${paint("red", `−${grouped(removed)}`)}`;
}

function sizeWords({ before, after, isBinary: isOpaque }: FileDifference): string {
  const sizes = [before, after].map((bytes) => (bytes ? size(bytes.length) : "nothing")).join(" → ");
  return `${isOpaque ? "binary" : "too large to compare"}: ${sizes}`;
}

function linkWords({ path, target }: { readonly path: string; readonly target?: string }): string {
  return target === undefined
    ? `link ${oneLine(path)}: removed`
    : `link ${oneLine(path)} → ${oneLine(target)}`;
}
