import { expect, test } from "vitest";
import { Changesets } from "../../src/changeset/changesets.ts";
import { isCampaign, sized } from "../sized.ts";
import { damageStages } from "./damage.ts";
import { editMeanwhile } from "./editor.ts";
import { explore, thoroughly } from "./explore.ts";
import { loopFaults } from "./faults-loop.ts";
import { singleChangesets } from "./scenarios.ts";

/** Minimum per scenario. Together with the sequences, the campaign examines more than 200,000 states. */
const statesMin = sized({ sample: 2_000, campaign: 50_000 });
const nestedMin = sized({ sample: 100, campaign: 10_000 });
const faultsMin = sized({ sample: 100, campaign: 500 });

test.each(singleChangesets)(
  "a crash anywhere leaves the changeset '$name' whole or absent",
  async (scenario) => {
    const { states, nested } = await explore({
      ...thoroughly,
      program: Changesets,
      scenario,
      disksMax: sized({ sample: 12, campaign: 500 }),
      nestedShare: scenario.nestedShare * sized({ sample: 0.1, campaign: 1 }),
      nestedDisksMax: sized({ sample: 2, campaign: thoroughly.nestedDisksMax }),
    });
    expect(states).toBeGreaterThan(statesMin);
    expect(nested).toBeGreaterThan(nestedMin);
  },
);

test.each(singleChangesets)(
  "whatever call fails in '$name', it is reported truly what happened",
  async (scenario) => {
    const { faults, states } = await loopFaults(Changesets, scenario, { isSample: !isCampaign });
    expect(faults).toBeGreaterThan(faultsMin);
    expect(states).toBeGreaterThan(faults);
  },
);

test.each(singleChangesets)(
  "whatever is damaged in the stage of '$name', each file is as before or as afterwards, or the damage is reported and kept",
  async (scenario) => {
    const { damaged, refused, nested } = await damageStages(Changesets, scenario, {
      nestedShare: sized({ sample: 0.002, campaign: 0.2 }),
    });
    expect(damaged).toBeGreaterThan(500);
    expect(refused).toBeGreaterThan(100);
    expect(nested).toBeGreaterThan(100);
  },
);

test.each(singleChangesets)(
  "somebody's edit during the changeset '$name' is overwritten only in one unavoidable instant",
  async (scenario) => {
    const { edits, lost } = await editMeanwhile(Changesets, scenario);
    expect(edits).toBeGreaterThan(200);
    expect(lost).toBeLessThanOrEqual(2);
  },
);
