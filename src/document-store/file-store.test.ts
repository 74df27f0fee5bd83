import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type DocumentPath, fileOf } from "../document/address.ts";
import { adding, pathTo, type StoreWorld, someone, storeContract } from "../document/store.contract.ts";
import { Lock } from "../durable/lock.ts";
import { nodeChance } from "../world/chance.ts";
import { openFiles } from "../world/files/choose-files.ts";
import { pathFiles } from "../world/files/path-files.ts";
import { nodeFolderWatch } from "../world/folders/node-folder-watch.ts";
import { nodeClock } from "../world/time/clock.ts";
import { FileStore, type OpenStoreOptions } from "./file-store.ts";

storeContract("in files", () => worldWith({ files: openFiles(), folders: nodeFolderWatch }));
storeContract("in files, by paths and without signs", () => worldWith({ files: pathFiles() }));

function worldWith(ports: Pick<OpenStoreOptions, "files" | "folders">): StoreWorld {
  const root = mkdtempSync(join(tmpdir(), "documents-"));
  const open = () => FileStore.open({ ...ports, root, clock: nodeClock, chance: nodeChance });
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

test("a document store creates nothing on disk before the first change", async () => {
  expect([store.list(), store.archive(), store.history(), store.read(a)]).toEqual([[], [], [], {}]);
  expect(await store.change(someone, () => ({ answer: "refused" }))).toBe("refused");
  expect(readdirSync(root)).toEqual([]);
});

test("a change of documents leaves only the documents and the folder of the store, without temporary files", async () => {
  await store.change(someone, adding(a, "x"));
  await store.change(someone, adding(a, "y"));
  expect(readdirSync(join(root, ".coxswain")).sort()).toEqual(["docs", "documents"]);
  expect(readdirSync(inRoom()).sort()).toEqual([".gitignore", "head", "lock", "log.jsonl", "staged"]);
  expect(readdirSync(inRoom("staged"))).toEqual([]);
});

test("deleting the lock file of a document store loses no change and repeats none", async () => {
  await store.change(someone, adding(a, "x"));
  rmSync(inRoom("lock"));
  await store.change(someone, adding(a, "y"));
  expect(store.read(a).document?.text).toBe("x\ny\n");
  expect(store.history()).toHaveLength(2);
  expect(existsSync(inRoom("lock"))).toBe(true);
});

test("a removed folder of the document store is created again, with a new log", async () => {
  await store.change(someone, adding(a, "x"));
  rmSync(inRoom(), { recursive: true });
  await store.change(someone, adding(a, "y"));
  expect(store.read(a).document?.text).toBe("x\ny\n");
  expect(store.history()).toHaveLength(1);
});

test("a damaged log of documents ends all changes, says what to do, and no document is touched", async () => {
  await store.change(someone, adding(a, "x"));
  await store.change(someone, adding(a, "y"));
  await store.close();
  const log = inRoom("log.jsonl");
  writeFileSync(log, readFileSync(log, "utf8").slice(0, -400));
  store = openStore();
  await expect(store.change(someone, adding(a, "z"))).rejects.toMatchObject({
    code: "LOG_LOST_TAIL",
    hint: expect.stringContaining("cox log --documents --verify"),
  });
  expect(store.read(a).document?.text).toBe("x\ny\n");
});

test("a read-only folder of documents is named, with how to make it writable", async () => {
  await store.change(someone, adding(a, "x"));
  await store.close();
  chmodSync(inRoom("lock"), 0o400);
  store = openStore();
  await expect(store.change(someone, adding(a, "y"))).rejects.toMatchObject({
    code: "STATE_UNSAFE",
    message: ".coxswain/documents/lock: it is read-only (mode 0400)",
    hint: expect.stringContaining("chmod -R u+w .coxswain"),
  });
  chmodSync(inRoom("lock"), 0o600);
  await store.change(someone, adding(a, "y"));
});

test("a full log of documents ends all changes, says how to begin a new one, and no document is touched", async () => {
  for (const line of ["one", "two", "three"]) await store.change(someone, adding(a, line));
  await store.close();
  const before = readFileSync(join(root, ".coxswain/docs/a.md"), "utf8");
  const room = join(root, ".coxswain/documents");
  const logBytesMax = statSync(join(room, "log.jsonl")).size + 10;
  store = FileStore.open({ files: openFiles(), root, clock: nodeClock, chance: nodeChance, logBytesMax });
  const refused = expect.objectContaining({
    code: "LOG_FULL",
    hint: expect.stringContaining("mv .coxswain/documents "),
  });
  for (let time = 0; time < 2; time++)
    await expect(store.change(someone, adding(a, "four"))).rejects.toEqual(refused);
  expect(readFileSync(join(root, ".coxswain/docs/a.md"), "utf8")).toBe(before);
  renameSync(room, `${room}-until-now`);
  await store.change(someone, adding(a, "four"));
  expect(readFileSync(join(root, ".coxswain/docs/a.md"), "utf8")).toContain("four");
});

test("a document that is no text, too large, a link or a folder is reported, and links and folders are not listed", () => {
  const docs = join(root, ".coxswain/docs");
  mkdirSync(join(docs, "folder.md"), { recursive: true });
  mkdirSync(join(docs, "coordinator"));
  writeFileSync(join(docs, "coordinator/hidden.md"), "reserved");
  writeFileSync(join(docs, "binary.md"), new Uint8Array([0xff, 0xfe, 0x00]));
  writeFileSync(join(docs, "large.md"), new Uint8Array(10_000_001));
  writeFileSync(join(docs, "notes.txt"), "no document");
  symlinkSync("/etc/passwd", join(docs, "link.md"));
  const codeOf = (path: string) => store.read(pathTo(path)).problem?.code;
  expect(["/folder.md", "/binary.md", "/large.md", "/link.md"].map(codeOf)).toEqual([
    "PATH_IS_DIRECTORY",
    "DOC_NOT_TEXT",
    "LIMIT_FILE",
    "PATH_SYMLINK",
  ]);
  expect(store.list().map(({ path }) => path)).toEqual(["/binary.md", "/large.md"]);
});

test("a documents folder that was swapped for a link is not followed", async () => {
  await store.change(someone, adding(pathTo("/folder/b.md"), "x"));
  const folder = join(root, ".coxswain/docs/folder");
  renameSync(folder, join(root, "away"));
  symlinkSync(join(root, "away"), folder);
  await new Promise((resolve) => setImmediate(resolve));
  expect(store.read(pathTo("/folder/b.md")).problem?.code).toBe("PATH_SYMLINK");
});

test("a document keeps its mode, and a new one gets the user's", async () => {
  await store.change(someone, adding(a, "x"));
  const file = join(root, ".coxswain/docs/a.md");
  const made = statSync(file).mode & 0o777;
  expect(made).toBe(0o666 & ~process.umask());
  chmodSync(file, 0o640);
  await store.change(someone, adding(a, "y"));
  expect(statSync(file).mode & 0o777).toBe(0o640);
});

test("a document that cannot be replaced is refused and its record withdrawn; later changes work", async (context) => {
  if (process.getuid?.() === 0) context.skip("root may write everywhere");
  await store.change(someone, adding(pathTo("/folder/b.md"), "x"));
  chmodSync(join(root, ".coxswain/docs/folder"), 0o500);
  await expect(store.change(someone, adding(pathTo("/folder/b.md"), "y"))).rejects.toMatchObject({
    code: "PATH_EPERM",
  });
  await store.change(someone, adding(a, "x"));
  chmodSync(join(root, ".coxswain/docs/folder"), 0o700);
  expect(store.history()).toHaveLength(2);
});

test("an editor's second save within one tick of the clock is seen", async () => {
  await store.change(someone, adding(a, "x"));
  const file = join(root, ".coxswain/docs/a.md");
  for (let number = 0; number < 200; number++) {
    const text = String(number).padStart(4, "0");
    writeFileSync(file, text);
    // The next iteration of the event loop: within one, a file that looks unchanged is not read again.
    await new Promise((resolve) => setImmediate(resolve));
    expect(store.read(a).document?.text).toBe(text);
  }
});

test("an editor's save right after our own change is seen, even with the same length in the same tick", async () => {
  const file = join(root, ".coxswain/docs/a.md");
  for (let number = 0; number < 50; number++) {
    await store.change(someone, adding(a, "ours"));
    const theirs = readFileSync(file, "utf8").replaceAll("ours", "them");
    writeFileSync(file, theirs);
    await new Promise((resolve) => setImmediate(resolve));
    expect(store.read(a).document?.text).toBe(theirs);
  }
});

test("a document's modification time grows with each of our changes, and is never in the future", async () => {
  const file = join(root, ".coxswain/docs/a.md");
  let before = 0;
  for (let number = 0; number < 20; number++) {
    if (number === 10) utimesSync(file, Date.now() / 1000, Date.now() / 1000);
    before = number === 10 ? statSync(file).mtimeMs : before;
    await store.change(someone, adding(a, "x"));
    const { mtimeMs } = statSync(file);
    expect(mtimeMs).toBeGreaterThan(before);
    expect(mtimeMs).toBeLessThan(Date.now() + 20);
    before = mtimeMs;
  }
});

test("a process that holds the lock of the documents for too long is named", async () => {
  await store.change(someone, adding(a, "x"));
  await store.close();
  const files = openFiles();
  const folder = files.openRoot(inRoom());
  const lock = Lock.take(files, folder, "lock", "process 4711");
  store = FileStore.open({ files: openFiles(), root, clock: nodeClock, chance: nodeChance, waitMs: 50 });
  await expect(store.change(someone, adding(a, "y"))).rejects.toThrow(
    "another cox is working on these documents (process 4711)",
  );
  lock?.release();
  files.close(folder);
  await store.change(someone, adding(a, "y"));
});
