/** A killed process loses nothing, but what it did not sync stays unsynced, and the next process must not build on it. */
import { expect, test } from "vitest";
import { Changesets } from "../../src/changeset/changesets.ts";
import { sized } from "../sized.ts";
import { crashAt, explore } from "./explore.ts";
import { ModelDisk } from "./model-disk.ts";
import { open } from "./scenario.ts";
import { singleChangesets } from "./scenarios.ts";

/** The distance between the calls at which it is killed. */
const stride = sized({ sample: 3, campaign: 1 });

test.each(singleChangesets.slice(0, 1))(
  "the changeset '$name' is whole or absent after a first process was killed while it opened the ledger",
  async (scenario) => {
    let kills = 0;
    for (let call = 0; ; call += stride) {
      const killed = ModelDisk.of(scenario.before);
      const ended = await crashAt(killed, { call, part: 0 }, async () =>
        (await open(Changesets, killed)).close(),
      );
      if (ended === "reached the end") break;
      kills++;
      await explore({
        program: Changesets,
        scenario,
        start: killed,
        modes: ["ordered", "weak"],
        disksMax: 5,
        nestedShare: 0,
        nestedDisksMax: 0,
        seed: call,
      });
    }
    expect(kills).toBeGreaterThan(10 / stride);
  },
);
