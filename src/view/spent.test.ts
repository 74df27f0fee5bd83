import { expect, test } from "vitest";
import { initialState } from "../kernel/initial.ts";
import type { Spending } from "../kernel/state.ts";
import { duration } from "./duration.ts";
import { money, short, spentText } from "./spent.ts";

test.each<[number, string]>([
  [0, "0s"],
  [-5, "0s"],
  [31_900, "31s"],
  [247_000, "4m07s"],
  [3_600_000, "1h00m"],
  [26 * 3_600_000, "1d02h"],
])("%i ms are %s", (ms, words) => {
  expect(duration(ms)).toBe(words);
});

test.each<[number, string]>([
  [0, "$0"],
  [4_200, "$0.0042"],
  [1_120_000, "$1.12"],
  [15_000_000, "$15"],
  [1_234_000_000, "$1,234"],
])("%i millionths are %s", (micros, words) => {
  expect(money(micros)).toBe(words);
});

test.each<[number, string]>([
  [999, "999"],
  [12_400, "12.4k"],
  [999_499, "999k"],
  [999_500, "1M"],
  [3_141_000, "3.1M"],
])("%i is %s for short", (count, words) => {
  expect(short(count)).toBe(words);
});

const spent: Spending = {
  ...initialState().spent,
  turns: 4,
  ms: 61_000,
  tokens: 12_400,
  usdMicros: 1_120_000,
};

test("what is limited is told with its limit, what is neither limited nor spent not at all", () => {
  expect(spentText({ spent, budget: {} })).toBe("$1.12 · 12.4k tokens");
  expect(spentText({ spent, budget: { usdMicros: 15_000_000, turns: 40 } })).toBe(
    "$1.12 of $15 · 12.4k tokens · 4 of 40 turns",
  );
  expect(spentText({ spent: initialState().spent, budget: {} })).toBe("");
});

test("what was reckoned from a table is marked", () => {
  const estimated = { ...spent, usdMicrosEstimated: 20_000 };
  expect(spentText({ spent: estimated, budget: { usdMicros: 15_000_000 } })).toMatch(/^~\$1\.12 of \$15/);
  expect(money(1_120_000, true)).toBe("~$1.12");
});
