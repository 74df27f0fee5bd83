import { expect, test } from "vitest";
import { initialState } from "../../kernel/initial.ts";
import type { TotalSpending } from "../../kernel/state.ts";
import { duration } from "../text/duration.ts";
import { costDocument, costOf, costOfTurn, costText, money, namedCostText } from "./cost.ts";
import { short, spentText } from "./spent.ts";

test.each<[number, string]>([
  [0, "0s"],
  [-5, "0s"],
  [31_900, "31s"],
  [247_000, "4m07s"],
  [3_600_000, "1h00m"],
  [26 * 3_600_000, "1d02h"],
])("%i ms are shown as %s", (ms, words) => {
  expect(duration(ms)).toBe(words);
});

test.each<[number, string]>([
  [0, "$0"],
  [4_200, "$0.0042"],
  [1_120_000, "$1.12"],
  [15_000_000, "$15"],
  [1_234_000_000, "$1,234"],
])("%i millionths of a dollar are shown as %s", (micros, words) => {
  expect(money(micros)).toBe(words);
});

test.each<[number, string]>([
  [999, "999"],
  [12_400, "12.4k"],
  [999_499, "999k"],
  [999_500, "1M"],
  [3_141_000, "3.1M"],
])("the number %i is shortened to %s", (count, words) => {
  expect(short(count)).toBe(words);
});

const spent: TotalSpending = {
  ...initialState().spent,
  turns: 4,
  ms: 61_000,
  tokens: 12_400,
  usdMicros: 1_120_000,
};

test("a limited amount is shown with its limit, and one neither limited nor spent is not shown", () => {
  expect(spentText({ spent, budget: {} })).toBe("$1.12 · 12.4k tokens");
  expect(spentText({ spent, budget: { usdMicros: 15_000_000, turns: 40 } })).toBe(
    "$1.12 of $15 · 12.4k tokens · 4 of 40 turns",
  );
  expect(spentText({ spent: initialState().spent, budget: {} })).toBe("");
});

test("an estimated cost is marked", () => {
  const estimated = { ...spent, usdMicrosEstimated: 20_000 };
  expect(spentText({ spent: estimated, budget: { usdMicros: 15_000_000 } })).toMatch(/^~\$1\.12 of \$15/);
  expect(costText(costOf(estimated))).toBe("~$1.12");
});

test("an unknown cost is shown as unknown, and a partly known one as a lower bound: never as zero", () => {
  const unknown: TotalSpending = { ...initialState().spent, turns: 2, turnsOfUnknownCost: 2 };
  expect(spentText({ spent: unknown, budget: {} })).toBe("cost unknown");
  expect(spentText({ spent: unknown, budget: { usdMicros: 1_000_000 } })).toBe("cost unknown (limit $1)");
  expect(costDocument(costOf(unknown))).toEqual({ usd_micros: null, usd_known: false });
  const part: TotalSpending = { ...unknown, usdMicros: 150_000, usdMicrosEstimated: 50_000 };
  expect(spentText({ spent: part, budget: { usdMicros: 1_000_000 } })).toBe("at least ~$0.15 of $1");
  expect(costDocument(costOf(part))).toEqual({ usd_micros: 150_000, usd_known: false });
});

test("before the first turn the spent amount is known to be nothing", () => {
  const { spent: none } = initialState();
  expect(spentText({ spent: none, budget: { usdMicros: 1_000_000 } })).toBe("$0 of $1");
  expect(costDocument(costOf(none))).toEqual({ usd_micros: 0, usd_known: true });
});

test("uncounted tokens are shown as unknown too", () => {
  const budget = { tokens: 200_000 };
  const unknown: TotalSpending = { ...initialState().spent, turns: 1, turnsOfUnknownTokens: 1 };
  expect(spentText({ spent: unknown, budget })).toBe("tokens unknown (limit 200k)");
  expect(spentText({ spent: { ...unknown, tokens: 1200 }, budget })).toBe("at least 1.2k of 200k tokens");
});

test.each([
  [{ ms: 1 }, "cost unknown"],
  [{ ms: 1, usd_micros: 0 }, "$0"],
  [{ ms: 1, usd_micros: 150_000, usd_estimated: true }, "~$0.15"],
  [{ ms: 1, usd_micros: 150_000, usd_partial: true }, "at least $0.15"],
  [{ ms: 1, unpriced: ["who-knows"] }, "cost unknown"],
  [{ ms: 1, usd_micros: 150_000, unpriced: ["who-knows"] }, "at least $0.15"],
] as const)("the cost of a turn with %j is shown as %s", (turn, words) => {
  expect(namedCostText(costOfTurn(turn))).toBe(words);
});
