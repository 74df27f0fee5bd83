import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Changesets } from "../../src/changeset/changesets.ts";
import { sized } from "../sized.ts";
import { changesetsMatrix, type LayerName, layers } from "./layers.ts";
import { mistakes } from "./mistakes.ts";
import { repository, sow } from "./sow.ts";

test.each(Object.keys(layers) as LayerName[])(
  "the layer '%s' finds nothing wrong with the real program",
  async (layer) => {
    await layers[layer](Changesets);
  },
);

const shown = changesetsMatrix.read(readFileSync(join(repository(), "docs/how-we-test.md"), "utf8"));

/** In the campaign, every layer that the page lists for it. */
const caught = mistakes.flatMap((mistake) =>
  sized({ sample: [mistake.caughtBy], campaign: shown.get(mistake.name) ?? [] }).map((layer) => ({
    mistake,
    layer,
    name: mistake.name,
  })),
);

test.each(caught)("'$name' is caught by the layer '$layer'", async ({ mistake, layer }) => {
  const { program, remove } = await sow(mistake);
  try {
    await expect(layers[layer](program)).rejects.toThrow();
  } finally {
    remove();
  }
});

test("at least 15 mistakes are sown, and every layer catches one", () => {
  expect(mistakes.length).toBeGreaterThanOrEqual(15);
  expect(new Set(mistakes.map(({ caughtBy }) => caughtBy))).toEqual(new Set(Object.keys(layers)));
});

test("docs/how-we-test.md shows the mistakes sown in changesets, each with the layer that catches it", () => {
  expect([...shown.keys()]).toEqual(mistakes.map(({ name }) => name));
  for (const { name, caughtBy } of mistakes) expect(shown.get(name)).toContain(caughtBy);
});
