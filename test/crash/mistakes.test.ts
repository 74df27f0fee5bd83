import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Changesets } from "../../src/changeset/changesets.ts";
import { changesetsMatrix, type LayerName, layers } from "./layers.ts";
import { mistakes } from "./mistakes.ts";
import { repository, sow } from "./sow.ts";

test.each(Object.keys(layers) as LayerName[])(
  "the layer '%s' finds nothing wrong with the real program",
  async (layer) => {
    await layers[layer](Changesets);
  },
);

test.each(mistakes)("'$name' is caught by the layer '$caughtBy'", async (mistake) => {
  const { program, remove } = await sow(mistake);
  try {
    await expect(layers[mistake.caughtBy](program)).rejects.toThrow();
  } finally {
    remove();
  }
});

test("at least 15 mistakes are sown, and every layer catches one", () => {
  expect(mistakes.length).toBeGreaterThanOrEqual(15);
  expect(new Set(mistakes.map(({ caughtBy }) => caughtBy))).toEqual(new Set(Object.keys(layers)));
});

test("the page on how we test shows these mistakes, each noticed by its layer", () => {
  const shown = changesetsMatrix.read(readFileSync(join(repository(), "docs/how-we-test.md"), "utf8"));
  expect([...shown.keys()]).toEqual(mistakes.map(({ name }) => name));
  for (const { name, caughtBy } of mistakes) expect(shown.get(name)).toContain(caughtBy);
});
