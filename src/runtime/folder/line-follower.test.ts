import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFiles } from "../../world/files/choose-files.ts";
import { Tree } from "../../world/folders/tree.ts";
import { BoundedLines } from "./bounded-lines.ts";
import { LineFollower } from "./line-follower.ts";

/** A line has four bytes: three fit into the first file, two into each rotating one. */
const bounds = { firstBytes: 12, lastBytes: 8 };

function world() {
  const folder = mkdtempSync(join(tmpdir(), "cox-follow-"));
  const tree = Tree.open(openFiles(), folder);
  const follower = new LineFollower(tree, "a.jsonl", bounds.firstBytes);
  onTestFinished(() => {
    follower.close();
    tree.close();
    rmSync(folder, { recursive: true });
  });
  const gap = (words: string) => `(${words})`;
  const write = () => new BoundedLines({ tree, path: "a.jsonl", bounds, gap });
  return { folder, follower, write };
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at).padStart(3, "0"));

test("a follower of a transcript reads nothing before the file exists", () => {
  const { follower, write } = world();
  expect(follower.read()).toEqual([]);
  write().add("001");
  expect(follower.read()).toEqual(["001"]);
  expect(follower.read()).toEqual([]);
});

test.each([1, 2, 3])(
  "a follower that reads after every %i lines gets each of a hundred once and in order",
  (step) => {
    const { follower, write } = world();
    const lines = write();
    const seen: string[] = [];
    numbers(1, 100).forEach((line, at) => {
      lines.add(line);
      if (at % step === 0) seen.push(...follower.read());
    });
    seen.push(...follower.read());
    lines.end();
    seen.push(...follower.read());
    expect(seen).toEqual(numbers(1, 100));
  },
);

test("a follower that comes late reads what is kept, and continues from there", () => {
  const { follower, write } = world();
  const lines = write();
  for (const line of numbers(1, 20)) lines.add(line);
  expect(follower.read()).toEqual([...numbers(1, 3), ...numbers(18, 20).slice(-3)]);
  for (const line of numbers(21, 24)) {
    lines.add(line);
    expect(follower.read()).toEqual([line]);
  }
});

test("lines that were shortened between two reads are read once, with the note about the gap", () => {
  const { follower, write } = world();
  const lines = write();
  lines.add("001");
  expect(follower.read()).toEqual(["001"]);
  for (const line of numbers(2, 100)) lines.add(line);
  lines.end();
  const rest = ["002", "003", "(94 lines (376 B) were left out here)", ...numbers(98, 100)];
  expect(follower.read()).toEqual(rest);
});

test("a follower gets a line only when it is whole, even if it is cut inside a character", () => {
  const { follower, folder } = world();
  const path = join(folder, "a.jsonl");
  const bytes = Buffer.from("é\n");
  writeFileSync(path, bytes.subarray(0, 1));
  expect(follower.read()).toEqual([]);
  appendFileSync(path, bytes.subarray(1));
  expect(follower.read()).toEqual(["é"]);
});
