import { expect, test } from "vitest";
import { findOverlaps } from "./overlap.ts";

const overlap = (...patterns: string[]) =>
  findOverlaps(
    patterns.map((pattern, owner) => ({ owner, pattern })),
    10,
  ).map(({ owners }) => owners);

test.each([
  ["src/a.ts", "src/a.ts"],
  ["src/**", "src/deep/a.ts"],
  ["src/", "src/a.ts"],
  ["./src/a.ts", "src/a.ts"],
  ["src/*.ts", "src/a*"],
  ["**/a.ts", "src/deep/*.ts"],
  ["src/**/test/*.ts", "src/a/**"],
  ["*/a", "b/*"],
])("the paths %s and %s overlap", (one, other) => {
  expect(overlap(one, other)).toEqual([[0, 1]]);
  expect(overlap(other, one)).toEqual([[0, 1]]);
});

test.each([
  ["src/a.ts", "src/b.ts"],
  ["src/*.ts", "src/deep/a.ts"],
  ["src/*.ts", "src/*.js"],
  ["src/a", "src/ab/**"],
  ["a/**", "b/**"],
])("the paths %s and %s do not overlap", (one, other) => {
  expect(overlap(one, other)).toEqual([]);
});

test("a task does not overlap with itself, and two tasks overlap once", () => {
  const claims = ["a.ts", "a.ts", "b.ts", "*.ts"].map((pattern, at) => ({ owner: at < 2 ? 0 : 1, pattern }));
  expect(findOverlaps(claims, 10)).toEqual([{ owners: [0, 1], pattern: "a.ts" }]);
});

test("the search for overlaps among a hundred thousand claims on one folder stops at its limit", () => {
  expect(
    findOverlaps(
      Array.from({ length: 100_000 }, (_, owner) => ({ owner, pattern: "src/**" })),
      50,
    ),
  ).toHaveLength(50);
  expect(
    findOverlaps(
      Array.from({ length: 100_000 }, (_, owner) => ({ owner, pattern: `src/*.${owner}` })),
      50,
    ),
  ).toEqual([]);
});
