import { expect, test } from "vitest";
import { Changesets } from "../../src/changeset/changesets.ts";
import { explore, thoroughly } from "./explore.ts";
import { loopFaults } from "./faults-loop.ts";
import { sequences } from "./scenarios.ts";

test.each(sequences)("cut short anywhere, of $name a whole number of steps is there", async (scenario) => {
  const { states, nested } = await explore({
    ...thoroughly,
    program: Changesets,
    scenario,
    nestedShare: scenario.nestedShare,
  });
  expect(states).toBeGreaterThan(52_000);
  expect(nested).toBeGreaterThan(10_000);
});

test.each(sequences)("whatever call fails, $name is told as it is", async (scenario) => {
  const { faults } = await loopFaults(Changesets, scenario);
  expect(faults).toBeGreaterThan(500);
});
