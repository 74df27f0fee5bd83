import { expect, test } from "vitest";
import { priceOf } from "./prices.ts";

const sonnet = { input: 3, output: 15, cached: 0.3 };

test.each([
  ["claude-sonnet-4-5", sonnet],
  ["claude-sonnet-4-5-20250929", sonnet],
  ["anthropic/claude-sonnet-4-5", sonnet],
  ["claude-sonnet-4-5@20250929", sonnet],
  ["claude-sonnet-4-5[1m]", sonnet],
  ["gpt-5-2025-08-07", { input: 1.25, output: 10, cached: 0.125 }],
  ["models/gemini-2.5-flash", { input: 0.3, output: 2.5, cached: 0.03 }],
  // Similar to a listed name, but not one.
  ["claude-sonnet-4-5-turbo", undefined],
  ["gpt-5-pro", undefined],
  ["gpt", undefined],
  ["", undefined],
  ["toString", undefined],
])("the price of %s", (model, price) => {
  expect(priceOf(model)).toEqual(price);
});

test("a price in the configuration wins over the built-in table, under the model's long or short name", () => {
  const own = { "claude-sonnet-4-5": { input: 1, output: 2 }, "local/mine": { input: 0, output: 0 } };
  expect(priceOf("anthropic/claude-sonnet-4-5-20250929", own)).toEqual({ input: 1, output: 2 });
  expect(priceOf("local/mine", own)).toEqual({ input: 0, output: 0 });
});
