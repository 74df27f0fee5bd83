import { expect, test } from "vitest";
import { Changesets } from "../../src/changeset/changesets.ts";
import { editMeanwhile } from "./editor.ts";
import { explore, thoroughly } from "./explore.ts";
import { loopFaults } from "./faults-loop.ts";
import { singleChangesets } from "./scenarios.ts";

test.each(singleChangesets)("cut short anywhere, $name is whole or absent", async (scenario) => {
  const { states, nested } = await explore({
    ...thoroughly,
    program: Changesets,
    scenario,
    disksMax: 500,
    nestedShare: scenario.nestedShare,
  });
  expect(states).toBeGreaterThan(50_000);
  expect(nested).toBeGreaterThan(10_000);
});

test.each(singleChangesets)("whatever call fails, $name is told as it is", async (scenario) => {
  const { faults, states } = await loopFaults(Changesets, scenario);
  expect(faults).toBeGreaterThan(500);
  expect(states).toBeGreaterThan(faults);
});

test.each(singleChangesets)(
  "whoever edits meanwhile, $name overwrites nobody but in one instant",
  async (scenario) => {
    const { edits, lost } = await editMeanwhile(Changesets, scenario);
    expect(edits).toBeGreaterThan(200);
    expect(lost).toBeLessThanOrEqual(2);
  },
);
