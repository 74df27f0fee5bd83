import { expect, test } from "vitest";
import { FileStore } from "../../src/document/file-store.ts";
import { exploreDocuments, failDocuments } from "./documents-explore.ts";
import { documentsLives } from "./documents-life.ts";
import { type DocumentsLayerName, documentsLayers, documentsMistakes } from "./documents-mistakes.ts";
import { sowDocuments } from "./sow.ts";

test.each(documentsLives)(
  "cut short anywhere, $name leaves whole changes and all that were acknowledged",
  async (life) => {
    const { states, nested } = await exploreDocuments({
      program: FileStore,
      life,
      modes: ["kill", "ordered", "weak"],
      disksMax: 3,
      nestedShare: life === documentsLives[0] ? 0.01 : 0.001,
      seed: 1,
    });
    expect(states).toBeGreaterThan(100);
    expect(nested).toBeGreaterThan(20);
  },
);

test.each(documentsLives.slice(0, 2))("whatever call fails, $name is told as it is", async (life) => {
  const { faults } = await failDocuments(FileStore, life, ["EIO", "torn"]);
  expect(faults).toBeGreaterThan(100);
});

test.each(Object.keys(documentsLayers) as DocumentsLayerName[])(
  "the layer '%s' finds nothing wrong with the real store",
  async (layer) => {
    await documentsLayers[layer](FileStore);
  },
);

test.each(documentsMistakes)(
  "'$name' is caught by the layer '$caughtBy'",
  async ({ caughtBy, ...mistake }) => {
    const { documents, remove } = await sowDocuments(mistake);
    try {
      await expect(documentsLayers[caughtBy](documents)).rejects.toThrow();
    } finally {
      remove();
    }
  },
);
