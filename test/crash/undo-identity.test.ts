import fc from "fast-check";
import { expect, test } from "vitest";
import { Changesets } from "../../src/changeset/changesets.ts";
import { ModelDisk } from "./model-disk.ts";
import { open, proposalOf, treeOf } from "./scenario.ts";

const path = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 3 }).map(
  (names) =>
    `${names
      .slice(0, -1)
      .map((name) => `${name}/`)
      .join("")}${names.at(-1)}.txt`,
);
const files = fc.dictionary(path, fc.string({ maxLength: 20 }), { maxKeys: 6 });
const edits = fc.dictionary(path, fc.option(fc.string({ maxLength: 20 }), { nil: undefined }), {
  minKeys: 1,
  maxKeys: 6,
});

test("apply, then undo, leaves every tree as it was; undoing the undo gives the change back", async () => {
  await fc.assert(
    fc.asyncProperty(files, edits, async (before, wanted) => {
      const disk = ModelDisk.of(before);
      const texts = new Map(Object.entries(before));
      const changed = Object.entries(wanted).filter(([at, text]) => texts.get(at) !== text);
      fc.pre(changed.length > 0);
      const start = treeOf(disk);
      const changesets = await open(Changesets, disk);

      const applied = await changesets.apply(
        proposalOf({ id: "it", files: Object.fromEntries(changed) }, texts),
      );
      expect(applied).toMatchObject({ outcome: "applied", files: changed.length });
      for (const [at, text] of changed) expect(disk.text(at)).toBe(text);
      const end = treeOf(disk);

      const undone = await changesets.undo("it");
      expect(undone).toMatchObject({ outcome: "applied" });
      expect(treeOf(disk)).toBe(start);

      const id = undone.outcome === "applied" ? undone.id : "";
      expect(await changesets.undo(id)).toMatchObject({ outcome: "applied" });
      expect(treeOf(disk)).toBe(end);
      changesets.close();
      expect(disk.handles).toBe(0);
    }),
    { numRuns: 300 },
  );
});
