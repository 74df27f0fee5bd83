import { expect, test } from "vitest";
import { spentOf } from "./spent-of.ts";

const used = { model: "gpt-5", inputTokens: 1000, cachedInputTokens: 400, outputTokens: 100 };

test("a cost that the agent reports is taken as it is", () => {
  const usage = { inputTokens: 1000, outputTokens: 100, usdMicros: 7, models: [used] };
  expect(spentOf({ ms: 5, usage, prices: undefined })).toEqual({ ms: 5, tokens: 1100, usd_micros: 7 });
});

test("an unreported cost is estimated by model, with cached tokens at their own price", () => {
  const usage = { inputTokens: 1000, outputTokens: 100, models: [used] };
  expect(spentOf({ ms: 5, usage, prices: undefined })).toEqual({
    ...{ ms: 5, tokens: 1100, usd_estimated: true },
    // 600 at 1.25, 400 at 0.125, 100 at 10.
    usd_micros: 750 + 50 + 1000,
  });
});

test("the configuration's price wins over the built-in one", () => {
  const prices = { "gpt-5": { input: 1, output: 1 } };
  expect(spentOf({ ms: 5, usage: { models: [used] }, prices })).toMatchObject({ usd_micros: 1100 });
});

test("a model without a price is named, and the known costs of the others count", () => {
  const models = [
    used,
    { ...used, model: "who-knows" },
    { ...used, model: "idle", inputTokens: 0, outputTokens: 0 },
  ];
  const spent = spentOf({ ms: 5, usage: { inputTokens: 2000, outputTokens: 200, models }, prices: {} });
  expect(spent).toEqual({
    ms: 5,
    tokens: 2200,
    usd_micros: 1800,
    usd_estimated: true,
    unpriced: ["who-knows"],
  });
});

test("an unknown cost is left out, and a known cost of nothing is a zero", () => {
  expect(spentOf({ ms: 5, usage: undefined, prices: undefined })).toEqual({ ms: 5 });
  expect(spentOf({ ms: 5, usage: { inputTokens: 3 }, prices: {} })).toEqual({ ms: 5, tokens: 3 });
  const prices = { "gpt-5": { input: 0, output: 0 } };
  expect(spentOf({ ms: 5, usage: { models: [used] }, prices })).toEqual({ ms: 5, usd_micros: 0 });
  expect(spentOf({ ms: 5, usage: { usdMicros: 0 }, prices })).toEqual({ ms: 5, usd_micros: 0 });
});

test("a reported cost of zero for a model without a price does not count as known", () => {
  const usage = { usdMicros: 0, models: [{ ...used, model: "who-knows" }] };
  expect(spentOf({ ms: 5, usage, prices: {} })).toEqual({ ms: 5, unpriced: ["who-knows"] });
});

test("tokens reported without a cost are priced and added to the reported costs", () => {
  const usage = { usdMicros: 7, additional: [used] };
  expect(spentOf({ ms: 5, usage, prices: {} })).toEqual({ ms: 5, usd_micros: 1807, usd_estimated: true });
  const unknown = { usdMicros: 7, additional: [{ ...used, model: "who-knows" }] };
  expect(spentOf({ ms: 5, usage: unknown, prices: {} })).toEqual({
    ...{ ms: 5, usd_micros: 7 },
    unpriced: ["who-knows"],
  });
});

test("a usage report that could not be read makes the cost a lower bound", () => {
  expect(spentOf({ ms: 5, usage: { usdMicros: 7, isPartial: true }, prices: {} })).toEqual({
    ...{ ms: 5, usd_micros: 7 },
    usd_partial: true,
  });
});
