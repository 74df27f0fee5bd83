import { expect, test } from "vitest";
import { FileJournal } from "../../src/journal/file-journal.ts";
import { isCampaign, sized } from "../sized.ts";
import { exploreJournal, failJournal } from "./journal-explore.ts";
import { type JournalLife, journalLives } from "./journal-life.ts";
import { type JournalLayerName, journalLayers, journalMistakes } from "./journal-mistakes.ts";
import { sow } from "./sow.ts";

/** Long enough to have a head in the middle. */
const long: JournalLife = {
  name: "more writes than a head waits for",
  sessions: [Array.from({ length: 130 }, () => [1, "durable"] as const).flat()],
};

test.each(journalLives)(
  "a crash anywhere in '$name' leaves a journal with only whole appends, and all acknowledged ones",
  async (life) => {
    const { states, nested } = await exploreJournal({
      program: FileJournal,
      life,
      modes: ["kill", "ordered", "weak"],
      disksMax: sized({ sample: 10, campaign: 60 }),
      nestedShare: sized({ sample: 0.02, campaign: 0.04 }),
      seed: 1,
    });
    expect(states).toBeGreaterThan(100);
    expect(nested).toBeGreaterThan(20);
  },
);

test("a crash anywhere around the writing of a head leaves a journal with all acknowledged appends", async () => {
  const { states } = await exploreJournal({
    program: FileJournal,
    life: long,
    modes: ["weak"],
    disksMax: sized({ sample: 1, campaign: 3 }),
    nestedShare: 0,
    seed: 1,
    firstCall: 261,
  });
  expect(states).toBeGreaterThan(20);
});

test.each(journalLives)(
  "whatever call fails in '$name', the journal reports truly what happened",
  async (life) => {
    const { faults } = await failJournal(FileJournal, life, { isSample: !isCampaign });
    expect(faults).toBeGreaterThan(sized({ sample: 20, campaign: 100 }));
  },
);

test.each(Object.keys(journalLayers) as JournalLayerName[])(
  "the layer '%s' finds nothing wrong with the real journal",
  async (layer) => {
    await journalLayers[layer](FileJournal);
  },
);

test.each(journalMistakes)("'$name' is caught by the layer '$caughtBy'", async ({ caughtBy, ...mistake }) => {
  const { journal, remove } = await sow(mistake);
  try {
    await expect(journalLayers[caughtBy](journal)).rejects.toThrow();
  } finally {
    remove();
  }
});
