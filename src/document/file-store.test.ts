import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFiles } from "../world/choose-files.ts";
import { nodeChance } from "../world/node-chance.ts";
import { nodeClock } from "../world/node-clock.ts";
import { nodeFolderWatch } from "../world/node-folder-watch.ts";
import { pathFiles } from "../world/path-files.ts";
import { type DocumentPath, fileOf } from "./address.ts";
import { FileStore, type StoreOpening } from "./file-store.ts";
import { adding, pathTo, type StoreWorld, someone, storeContract } from "./store.contract.ts";

storeContract("in files", () => worldWith({ files: openFiles(), folders: nodeFolderWatch }));
storeContract("in files, by paths and without signs", () => worldWith({ files: pathFiles() }));

function worldWith(means: Pick<StoreOpening, "files" | "folders">): StoreWorld {
  const root = mkdtempSync(join(tmpdir(), "documents-"));
  const open = () => FileStore.open({ ...means, root, clock: nodeClock, chance: nodeChance });
  const store = open();
  return {
    store,
    another: open,
    edit: (path, text) => edit(root, path, text),
    end: async () => {
      await store.close();
      rmSync(root, { recursive: true });
    },
  };
}

function edit(root: string, path: DocumentPath, text?: string): void {
  const file = join(root, ".coxswain", fileOf(path));
  mkdirSync(dirname(file), { recursive: true });
  if (text === undefined) rmSync(file);
  else writeFileSync(file, text);
}

const a = pathTo("/a.md");
let root: string;
let store: FileStore;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "documents-"));
  store = openStore();
});

afterEach(async () => {
  await store.close();
  rmSync(root, { recursive: true });
});

function openStore(): FileStore {
  return FileStore.open({ files: openFiles(), root, clock: nodeClock, chance: nodeChance });
}

function inRoom(name = ""): string {
  return join(root, ".coxswain/documents", name);
}

test("nothing is made on disk before the first change", async () => {
  expect([store.list(), store.archive(), store.history(), store.read(a)]).toEqual([[], [], [], {}]);
  expect(await store.change(someone, () => ({ answer: "refused" }))).toBe("refused");
  expect(readdirSync(root)).toEqual([]);
});

test("a change leaves nothing but the documents and the room", async () => {
  await store.change(someone, adding(a, "x"));
  await store.change(someone, adding(a, "y"));
  expect(readdirSync(join(root, ".coxswain")).sort()).toEqual(["docs", "documents"]);
  expect(readdirSync(inRoom()).sort()).toEqual([".gitignore", "head", "lock", "log.jsonl", "staged"]);
  expect(readdirSync(inRoom("staged"))).toEqual([]);
});

test("a lock file that was deleted costs nothing: the change is there once", async () => {
  await store.change(someone, adding(a, "x"));
  rmSync(inRoom("lock"));
  await store.change(someone, adding(a, "y"));
  expect(store.read(a).document?.text).toBe("x\ny\n");
  expect(store.history()).toHaveLength(2);
  expect(existsSync(inRoom("lock"))).toBe(true);
});
