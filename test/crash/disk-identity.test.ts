import { expect, test } from "vitest";
import { ModelDisk } from "./model-disk.ts";
import { modelFiles } from "./model-files.ts";

test("two disks with the same history, or with the same durable files, have the same identity", () => {
  const twice = ModelDisk.of({ "a.txt": "other", "b.txt": "b" });
  twice.put("a.txt", "a");
  expect(twice.identity()).toBe(ModelDisk.of({ "b.txt": "b", "a.txt": "a" }).identity());
  expect(written({ isSynced: false }).identity()).toBe(written({ isSynced: false }).identity());
  expect(written({ isSynced: true }).identity()).toBe(ModelDisk.of({ "a.txt": "ab" }).identity());
});

test.each<{ name: string; one: ModelDisk; other: ModelDisk }>([
  { name: "a byte", one: ModelDisk.of({ a: "1" }), other: ModelDisk.of({ a: "2" }) },
  { name: "a mode", one: ModelDisk.of({ a: "1" }), other: ModelDisk.of({ a: { mode: 0o600, text: "1" } }) },
  { name: "a place", one: ModelDisk.of({ "x/a": "1" }), other: ModelDisk.of({ a: "1", "x/": "" }) },
  { name: "what leads to one file", one: ModelDisk.of({ a: "1", b: "1" }), other: linked() },
  {
    name: "what a power cut undoes",
    one: written({ isSynced: true }),
    other: written({ isSynced: false }),
  },
  {
    name: "what a sync can still save",
    one: written({ isSynced: false }),
    other: written({ isStuck: true }),
  },
  { name: "what a lost unlink would bring back", one: gone("one"), other: gone("two") },
])("disks that differ in $name have different identities", ({ one, other }) => {
  expect(one.identity()).not.toBe(other.identity());
});

test("a change to a disk that a crash left changes its identity", () => {
  for (const disk of written({ isSynced: false }).crashStates("weak", { limit: 10, seed: 1 })) {
    const before = disk.identity();
    expect(before).toBe(disk.clone().identity());
    disk.put("more.txt", "more");
    expect(disk.identity()).not.toBe(before);
  }
});

/** A file with one byte more than is durable, unless it is synced. A sync may fail before that. */
function written({ isSynced = false, isStuck = false }): ModelDisk {
  const disk = ModelDisk.of({ "a.txt": "a" });
  const files = modelFiles(disk);
  const file = files.open(files.openRoot("/"), "a.txt", "append");
  files.write(file, new TextEncoder().encode("b"));
  disk.onCall = () => {
    throw new Error("the sync fails");
  };
  if (isStuck) expect(() => files.sync(file)).toThrow();
  disk.onCall = undefined;
  if (isSynced) files.sync(file);
  return disk;
}

function linked(): ModelDisk {
  const disk = ModelDisk.of({ a: "1" });
  const files = modelFiles(disk);
  const root = files.openRoot("/");
  files.link(root, "a", root, "b");
  files.sync(root);
  return disk;
}

/** A file created with this text, synced, and removed again. Nobody sees it, but half of that may be lost. */
function gone(text: string): ModelDisk {
  const disk = ModelDisk.of({});
  const files = modelFiles(disk);
  const root = files.openRoot("/");
  const file = files.open(root, "a", "create");
  files.write(file, new TextEncoder().encode(text));
  files.sync(file);
  files.unlink(root, "a");
  return disk;
}
