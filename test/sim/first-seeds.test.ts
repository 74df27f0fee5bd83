import { expect, test } from "vitest";
import { playSeeds, seedsOfFile } from "./seeds.ts";

test(`no run of the first ${seedsOfFile} seeds breaks an invariant, and they say every word of the vocabulary`, async () => {
  expect(await playSeeds({ from: 1, count: seedsOfFile })).toMatchObject({ seeds: seedsOfFile, missing: [] });
});
