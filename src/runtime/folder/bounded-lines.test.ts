import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { openFiles } from "../../world/files/choose-files.ts";
import type { Files } from "../../world/files/files.ts";
import { Tree } from "../../world/folders/tree.ts";
import { BoundedLines, type LineBounds, readLines } from "./bounded-lines.ts";

let folder: string;
const files = openFiles();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cox-lines-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function open(bounds: LineBounds, through: Files = files): BoundedLines {
  const gap = (words: string) => `(${words})`;
  const tree = Tree.open(through, folder);
  onTestFinished(() => tree.close());
  return new BoundedLines({ tree, path: "a.jsonl", bounds, gap });
}

function read(): readonly string[] | undefined {
  return readLines((name) => {
    try {
      return readFileSync(join(folder, name));
    } catch {
      return undefined;
    }
  }, "a.jsonl");
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at).padStart(3, "0"));
/** A line has four bytes. */
const small = { firstBytes: 12, lastBytes: 8 };

test("a few transcript lines are in one file, each as soon as it came", () => {
  const lines = open(small);
  for (const line of numbers(1, 3)) {
    lines.add(line);
    expect(read()?.at(-1)).toBe(line);
  }
  lines.end();
  expect(readdirSync(folder)).toEqual(["a.jsonl"]);
  expect(read()).toEqual(numbers(1, 3));
});

test("of many transcript lines the first and the last are kept, and the gap is mentioned", () => {
  const lines = open(small);
  for (const line of numbers(1, 100)) lines.add(line);
  // As a crash would leave it.
  expect(read()).toEqual([...numbers(1, 3), ...numbers(98, 100).slice(-3)]);
  lines.end();
  expect(readdirSync(folder)).toEqual(["a.jsonl"]);
  expect(read()).toEqual([...numbers(1, 3), "(94 lines (376 B) were left out here)", ...numbers(98, 100)]);
});

test("no transcript line is left out, and no gap mentioned, while the last part still holds all", () => {
  const lines = open(small);
  for (const line of numbers(1, 7)) lines.add(line);
  lines.end();
  expect(read()).toEqual(numbers(1, 7));
});

test("transcript files of an earlier process under the same name are removed", () => {
  const first = open(small);
  for (const line of numbers(1, 100)) first.add(line);
  const second = open(small);
  second.add("new");
  second.end();
  expect(readdirSync(folder)).toEqual(["a.jsonl"]);
  expect(read()).toEqual(["new"]);
  first.end();
});

test("a full disk ends the transcript, and nothing else", () => {
  let isFull = false;
  const full: Files = Object.assign(Object.create(files), {
    write(...given: Parameters<Files["write"]>) {
      if (isFull) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      files.write(...given);
    },
  });
  const lines = open(small, full);
  lines.add("one");
  isFull = true;
  lines.add("two");
  isFull = false;
  lines.add("3 3");
  lines.end();
  expect(read()).toEqual(["one"]);
});
