import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FileStore } from "../../src/document-store/file-store.ts";
import { assert } from "../../src/std/assert.ts";
import { isCampaign, sized } from "../sized.ts";
import { exploreDocuments, failDocuments } from "./documents-explore.ts";
import { a, documentsLives } from "./documents-life.ts";
import {
  type DocumentsLayerName,
  documentsLayers,
  documentsMatrix,
  documentsMistakes,
} from "./documents-mistakes.ts";
import { repository, sowDocuments } from "./sow.ts";

/** The layers below cut the shorter lives short. */
test("a crash anywhere in the longest life of a store leaves only whole changes, and all acknowledged ones", async () => {
  const life = documentsLives.at(-1);
  assert(life, "there is a longest life");
  const { states, nested } = await exploreDocuments({
    program: FileStore,
    life,
    modes: ["kill", "weak"],
    disksMax: 1,
    nestedShare: sized({ sample: 0.004, campaign: 0.0005 }),
    seed: 1,
    ...sized({ sample: { calls: { first: 64, last: 72 } }, campaign: {} }),
  });
  expect(states).toBeGreaterThan(sized({ sample: 200, campaign: 2_000 }));
  expect(nested).toBeGreaterThan(100);
});

test("a crash anywhere leaves a document that is written in several pieces whole: as before or as after", async () => {
  const life = {
    name: "a long one",
    before: { [a]: "one line of it\n".repeat(6_000) },
    steps: [{ [a]: "add" as const }],
  };
  const modes = ["kill", "weak"] as const;
  const { states } = await exploreDocuments({
    program: FileStore,
    life,
    modes,
    disksMax: 1,
    nestedShare: 0,
    seed: 1,
  });
  expect(states).toBeGreaterThan(100);
});

test.each(sized({ sample: documentsLives.slice(0, 1), campaign: documentsLives }))(
  "whatever call fails in '$name', the store reports truly what happened",
  async (life) => {
    const { faults } = await failDocuments(FileStore, life, { isSample: !isCampaign });
    expect(faults).toBeGreaterThan(sized({ sample: 20, campaign: 100 }));
  },
);

test.each(Object.keys(documentsLayers) as DocumentsLayerName[])(
  "the layer '%s' finds nothing wrong with the real store",
  async (layer) => {
    await documentsLayers[layer](FileStore);
  },
);

const shown = documentsMatrix.read(readFileSync(join(repository(), "docs/how-we-test.md"), "utf8"));

/** In the campaign, every layer that the page lists for it. */
const caught = documentsMistakes.flatMap((mistake) =>
  sized({ sample: [mistake.caughtBy], campaign: shown.get(mistake.name) ?? [] }).map((layer) => ({
    mistake,
    layer,
    name: mistake.name,
  })),
);

test.each(caught)("'$name' is caught by the layer '$layer'", async ({ mistake, layer }) => {
  const { documents, remove } = await sowDocuments(mistake);
  try {
    await expect(documentsLayers[layer](documents)).rejects.toThrow();
  } finally {
    remove();
  }
});

test("docs/how-we-test.md shows the mistakes sown in the store, each with the layer that catches it", () => {
  expect([...shown.keys()]).toEqual(documentsMistakes.map(({ name }) => name));
  for (const { name, caughtBy } of documentsMistakes) expect(shown.get(name)).toContain(caughtBy);
});
