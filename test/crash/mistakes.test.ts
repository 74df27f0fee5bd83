import { expect, test } from "vitest";
import { Changesets } from "../../src/changeset/changesets.ts";
import { catches, type LayerName, layers } from "./layers.ts";
import { mistakes } from "./mistakes.ts";
import { sow } from "./sow.ts";

test.each(Object.keys(layers) as LayerName[])(
  "the layer '%s' finds nothing wrong with the real program",
  async (layer) => {
    await layers[layer](Changesets);
  },
);

test.each(mistakes)("'$name' is caught by the layer '$caughtBy'", async (mistake) => {
  const { program, remove } = await sow(mistake);
  try {
    expect(await catches(mistake.caughtBy, program)).toBe(true);
  } finally {
    remove();
  }
});

test("at least 15 mistakes are sown, and every layer catches one", () => {
  expect(mistakes.length).toBeGreaterThanOrEqual(15);
  expect(new Set(mistakes.map(({ caughtBy }) => caughtBy))).toEqual(new Set(Object.keys(layers)));
});
