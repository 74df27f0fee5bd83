import { expect, test } from "vitest";
import { sized } from "../sized.ts";
import { Coverage } from "./coverage.ts";
import { failedSeeds, replayLine } from "./failed-seeds.ts";
import { simulate } from "./simulate.ts";

test("a simulated run that is played twice with one seed leaves the same lines", async () => {
  for (let seed = 1; seed <= sized({ sample: 15, campaign: 60 }); seed++) {
    const [first, second]: [string[], string[]] = [[], []];
    await simulate(seed, new Coverage(), first);
    await simulate(seed, new Coverage(), second);
    expect(first.length).toBeGreaterThan(20);
    expect(second).toEqual(first);
  }
});

test("recording the lines of a simulated run changes nothing", async () => {
  for (let seed = 1; seed <= sized({ sample: 5, campaign: 20 }); seed++)
    expect(await simulate(seed, new Coverage())).toEqual(await simulate(seed, new Coverage(), []));
});

test.each(failedSeeds)(
  "seed $seed, which once found that $found, breaks no invariant now",
  async ({ seed }) => {
    const { violation } = await simulate(seed, new Coverage());
    expect(violation, replayLine(seed)).toBeUndefined();
  },
);
