import { expect, test } from "vitest";
import { Changesets } from "../../src/changeset/changesets.ts";
import { isCampaign, sized } from "../sized.ts";
import { explore, thoroughly } from "./explore.ts";
import { loopFaults } from "./faults-loop.ts";
import { sequences } from "./scenarios.ts";

/** Minimum per scenario. Together with the single changesets, the campaign examines more than 200,000 states. */
const statesMin = sized({ sample: 4_000, campaign: 52_000 });
const nestedMin = sized({ sample: 100, campaign: 10_000 });
const faultsMin = sized({ sample: 150, campaign: 500 });

test.each(sequences)("a crash anywhere in '$name' leaves a whole number of steps done", async (scenario) => {
  const { states, nested } = await explore({
    ...thoroughly,
    program: Changesets,
    scenario,
    disksMax: sized({ sample: 4, campaign: thoroughly.disksMax }),
    nestedShare: scenario.nestedShare * sized({ sample: 0.1, campaign: 1 }),
    nestedDisksMax: sized({ sample: 2, campaign: thoroughly.nestedDisksMax }),
  });
  expect(states).toBeGreaterThan(statesMin);
  expect(nested).toBeGreaterThan(nestedMin);
});

test.each(sequences)(
  "whatever call fails in '$name', it is reported truly what happened",
  async (scenario) => {
    const { faults } = await loopFaults(Changesets, scenario, { isSample: !isCampaign });
    expect(faults).toBeGreaterThan(faultsMin);
  },
);
