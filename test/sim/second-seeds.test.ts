import { expect, test } from "vitest";
import { runSeeds, seedsOfFile } from "./seeds.ts";

test(`no run of the next ${seedsOfFile} seeds breaks an invariant, and they say every word of the vocabulary`, async () => {
  const coverage = await runSeeds({ from: 1 + seedsOfFile, count: seedsOfFile });
  expect(coverage.missing()).toEqual([]);
});
