import { expect, test } from "vitest";
import { sized } from "../sized.ts";
import { playSeeds } from "./seeds.ts";

const seeds = sized({ sample: 500, campaign: 10_000 });
/** If words are missing, more seeds are played, up to this many. */
const seedsMax = 10_000;

test(`no run of the first ${seeds} seeds breaks an invariant, and with the rare seeds they cover the whole vocabulary`, async () => {
  const played = await playSeeds(seeds, seedsMax);
  expect(played.missing).toEqual([]);
  expect(played.seeds).toBeGreaterThanOrEqual(seeds);
});
