import { expect, test } from "vitest";
import { runSeeds, seedsOfFile } from "./seeds.ts";

test(`no run of the first ${seedsOfFile} seeds breaks an invariant, and they say every word of the vocabulary`, async () => {
  const coverage = await runSeeds({ from: 1, count: seedsOfFile });
  expect(coverage.missing()).toEqual([]);
});
