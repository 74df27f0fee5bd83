/** A file's name, how it opens, and how long it and its functions are. */
import { posix } from "node:path";
import ts from "typescript";
import { type Allowance, type Finding, isTest, published, type TextFile } from "./rule.ts";
import { exportedNames, lineOf, parsed, walk } from "./syntax.ts";

const drawers = [
  "util",
  "utils",
  "helper",
  "helpers",
  "common",
  "type",
  "types",
  "misc",
  "manager",
  "shared",
];

const linesMax = 400;
const medianLinesMax = 200;
const functionLinesMax = 60;

/** If something has no room, the house lacks a room; it does not need a drawer. */
export function hasNoDrawers(files: readonly TextFile[]): Finding[] {
  return files
    .filter(({ path }) => /\.(ts|mjs|js)$/.test(path))
    .flatMap(({ path }) => {
      const folders = posix.dirname(path).split("/");
      const stem = posix.basename(path).split(".")[0] ?? "";
      const findings = [...folders, stem]
        .filter((name) => drawers.includes(name))
        .map((name) => `${path}: "${name}" says nothing; name it after the one thing in it`);
      const isBarrel = stem === "index" && path !== "src/index.ts";
      return isBarrel ? [...findings, `${path}: only src/index.ts re-exports`] : findings;
    });
}

/** The comment is in the first lines. One or two imports may precede it if it belongs to the main export. */
export function opensWithComment(files: readonly TextFile[]): Finding[] {
  return files
    .filter(({ path }) => /^(src|test|bench|scripts|bin)\/.*\.(ts|mjs|js)$/.test(path) && !isTest(path))
    .filter(({ text }) => !text.split("\n").slice(0, 3).join("\n").includes("/**"))
    .map(({ path }) => `${path} does not open with a comment that says what it is`);
}

export function isShort(files: readonly TextFile[]): Finding[] {
  const lengths = published(files).map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }));
  const findings = lengths
    .filter(({ lines }) => lines > linesMax)
    .map(({ path, lines }) => `${path} has ${lines} lines, over ${linesMax}: it is several things`);
  const sorted = lengths.map(({ lines }) => lines).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  if (median >= medianLinesMax)
    findings.push(`src: the median file has ${median} lines, not below ${medianLinesMax}`);
  return findings;
}

/** A function that fits on one screen reads as a story. An allowance is for a table written as a function. */
export function functionsAreShort(files: readonly TextFile[], allowed: readonly Allowance[] = []): Finding[] {
  return published(files)
    .filter(({ path }) => !allowed.some((one) => one.path === path))
    .flatMap((file) => {
      const source = parsed(file);
      const findings: Finding[] = [];
      walk(source, (node) => {
        if (!ts.isFunctionLike(node)) return;
        const from = lineOf(source, node);
        const lines = source.getLineAndCharacterOfPosition(node.end).line + 2 - from;
        if (lines > functionLinesMax)
          findings.push(`${file.path}:${from} has a function of ${lines} lines, over ${functionLinesMax}`);
      });
      return findings;
    });
}

/** A word of the file's name must be in the name of something it exports, singular or plural. */
export function hasNameOfMainExport(
  files: readonly TextFile[],
  allowed: readonly Allowance[] = [],
): Finding[] {
  return published(files)
    .filter(({ path }) => !["src/index.ts", ...allowed.map((one) => one.path)].includes(path))
    .flatMap((file) => {
      const words = posix.basename(file.path, ".ts").split("-").map(singular);
      const names = exportedNames(file);
      if (names.some((name) => words.some((word) => name.toLowerCase().includes(word)))) return [];
      return [`${file.path} exports ${names.join(", ") || "nothing"}: none has the file's name`];
    });
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/ies$/, "y").replace(/s$/, "") : word;
}
