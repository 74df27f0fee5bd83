import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFiles } from "../world/files/choose-files.ts";
import type { FolderWatch } from "../world/folders/folder-watch.ts";
import { nodeFolderWatch } from "../world/folders/node-folder-watch.ts";
import { Tree } from "../world/folders/tree.ts";
import {
  FolderSnapshots,
  noTrust,
  notificationsArrived,
  patientTrust,
  usualTrust,
} from "./folder-snapshots.ts";

let root: string;
let tree: Tree;
let lists: string[];
let now = 0;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "looks-"));
  mkdirSync(docs("a/b"), { recursive: true });
  writeFileSync(docs("one.md"), "one");
  writeFileSync(docs("a/two.md"), "two");
  writeFileSync(docs("a/b/three.md"), "three");
  const files = openFiles();
  lists = [];
  const counting = Object.assign(Object.create(files) as typeof files, {
    list: (at: Parameters<typeof files.list>[0]) => {
      lists.push(files.pathOf(at).slice(root.length));
      return files.list(at);
    },
  });
  tree = Tree.open(counting, root);
  now = 1_000_000;
});

afterEach(() => {
  tree.close();
  rmSync(root, { recursive: true });
});

const docs = (path: string) => join(root, ".coxswain/docs", path);
const names = (snapshots: FolderSnapshots, trust = usualTrust) => {
  tree.release();
  lists = [];
  return snapshots.below("docs", trust).map(({ path, size }) => `${path} ${size}`);
};
const all = ["/a/b/three.md 5", "/a/two.md 3", "/one.md 3"];
const everyFolder = ["/.coxswain/docs", "/.coxswain/docs/a", "/.coxswain/docs/a/b"];

/** Notifications that the test sends itself. */
function signs(isPrompt = true): FolderWatch & { give(folder: string): void } {
  const calls = new Map<string, () => void>();
  return {
    watch(path, call) {
      calls.set(path, call);
      return { isPrompt, stop: () => calls.delete(path) };
    },
    give: (folder) => calls.get(docs(folder))?.(),
  };
}

function hearing(watch: FolderWatch): FolderSnapshots {
  const snapshots = new FolderSnapshots(tree, { now: () => now });
  snapshots.hear(watch, () => undefined);
  expect(names(snapshots)).toEqual(all);
  return snapshots;
}

test("without a file watcher, every documents folder is listed each time", () => {
  const snapshots = new FolderSnapshots(tree, { now: () => now });
  expect(names(snapshots)).toEqual(all);
  expect(names(snapshots)).toEqual(all);
  expect(lists).toEqual(everyFolder);
});

test("only the documents folder with a watcher event is listed again", () => {
  const watch = signs();
  const snapshots = hearing(watch);
  const before = snapshots.below("docs", usualTrust);
  expect(snapshots.below("docs", usualTrust)).toBe(before);
  appendFileSync(docs("a/two.md"), "more");
  expect(names(snapshots)).toEqual(all);
  expect(lists).toEqual([]);
  watch.give("a");
  expect(names(snapshots)).toEqual(["/a/b/three.md 5", "/a/two.md 7", "/one.md 3"]);
  expect(lists).toEqual(["/.coxswain/docs/a"]);
});

test("a watcher event without a change leaves the very same list of documents", () => {
  const watch = signs();
  const snapshots = hearing(watch);
  const before = snapshots.below("docs", usualTrust);
  watch.give("a");
  expect(snapshots.below("docs", usualTrust)).toBe(before);
  expect(snapshots.below("docs", noTrust)).toBe(before);
});

test.each([
  ["after ten seconds", () => (now += 10_000), signs()],
  ["when the clock was put back", () => (now -= 1), signs()],
  ["when signs may come late", () => undefined, signs(false)],
])("all documents folders are listed again %s", (_, act, watch) => {
  const snapshots = hearing(watch);
  act();
  expect(names(snapshots)).toEqual(all);
  expect(lists).toEqual(everyFolder);
});

test("all documents folders are listed again after so many watcher events that some may be lost", () => {
  const watch = signs();
  const snapshots = hearing(watch);
  for (let count = 0; count < 1_000; count++) watch.give("a/b");
  expect(names(snapshots)).toEqual(all);
  expect(lists).toEqual(everyFolder);
  expect(names(snapshots)).toEqual(all);
  expect(lists).toEqual([]);
});

test("a documents folder with a hard-linked file is listed each time", () => {
  linkSync(docs("a/two.md"), join(root, "elsewhere"));
  const snapshots = hearing(signs());
  appendFileSync(join(root, "elsewhere"), "more");
  expect(names(snapshots)).toEqual(["/a/b/three.md 5", "/a/two.md 7", "/one.md 3"]);
  expect(lists).toEqual(["/.coxswain/docs/a"]);
});

test("a caller that only waits for watcher events accepts late ones", () => {
  const snapshots = hearing(signs(false));
  expect(names(snapshots, patientTrust)).toEqual(all);
  expect(lists).toEqual([]);
});

test("a documents folder that was removed and made again is watched again, even with the same inode", async () => {
  const { files } = tree;
  const stat: typeof files.stat = (at, name) => {
    const found = files.stat(at, name);
    return found?.kind === "folder" ? { ...found, inode: 7 } : found;
  };
  tree.close();
  tree = Tree.open(Object.assign(Object.create(files) as typeof files, { stat }), root);
  const snapshots = hearing(nodeFolderWatch);
  for (let time = 0; time < 3; time++) {
    rmSync(docs("a"), { recursive: true });
    mkdirSync(docs("a"));
    writeFileSync(docs("a/two.md"), "two");
    await notificationsArrived();
    expect(names(snapshots)).toEqual(["/a/two.md 3", "/one.md 3"]);
    appendFileSync(docs("a/two.md"), "more");
    await notificationsArrived();
    expect(names(snapshots)).toEqual(["/a/two.md 7", "/one.md 3"]);
  }
  snapshots.stopHearing();
});

const place = fc.constantFrom("one.md", "a/two.md", "a/b/three.md", "a/b/four.md", "c/five.md");
const folder = fc.constantFrom("a", "a/b", "c");
const deed = fc.oneof(
  fc.record({ do: fc.constantFrom("write", "replace", "remove", "same size"), place }),
  fc.record({ do: fc.constantFrom("remove", "make again", "move"), folder }),
  fc.constant({ do: "look" } as const),
);

/** Writes files as programs do. */
function act(deed: { do: string; place?: string; folder?: string }, count: number): void {
  if (deed.place !== undefined) {
    const file = docs(deed.place);
    mkdirSync(join(file, ".."), { recursive: true });
    if (deed.do === "remove") rmSync(file, { force: true });
    else if (deed.do === "write") writeFileSync(file, "x".repeat(count));
    else if (deed.do === "replace") {
      writeFileSync(join(root, "new"), "y".repeat(count));
      renameSync(join(root, "new"), file);
    } else writeFileSync(file, "sames");
    // Two writes within one clock tick look alike; that is not what is tested here.
    if (deed.do !== "remove") utimesSync(file, count, count);
  } else if (deed.folder !== undefined && statSync(docs(deed.folder), { throwIfNoEntry: false })) {
    if (deed.do === "move") {
      rmSync(docs("moved"), { recursive: true, force: true });
      renameSync(docs(deed.folder), docs("moved"));
    } else rmSync(docs(deed.folder), { recursive: true });
    if (deed.do === "make again") {
      mkdirSync(docs(deed.folder));
      writeFileSync(docs(`${deed.folder}/again.md`), "again");
    }
  }
}

test("watcher events reveal every change that others make to documents", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 12 }), async (deeds) => {
      const snapshots = new FolderSnapshots(tree, { now: () => now });
      snapshots.hear(nodeFolderWatch, () => undefined);
      for (const [count, one] of deeds.entries()) {
        act(one, count + 1);
        await notificationsArrived();
        tree.release();
        const believed = snapshots.below("docs", usualTrust);
        const strict = new FolderSnapshots(tree, { now: () => now }).below("docs", noTrust);
        expect(believed).toEqual(strict);
      }
      snapshots.stopHearing();
    }),
    { numRuns: 60 },
  );
});
