import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { File, Files } from "../world/files.ts";
import { nodeFiles } from "../world/node-files.ts";
import { FileJournal } from "./file-journal.ts";
import { moment, note } from "./journal.contract.ts";
import { peekJournal } from "./peek-journal.ts";

const files = nodeFiles();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cox-peek-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a look before the run began finds nothing and makes nothing", async () => {
  const peek = peekJournal(files, folder);
  expect(await peek.read()).toEqual([]);
  expect(existsSync(log())).toBe(false);
  peek.close();
});

test("who follows sees every record once, in order, while the writer holds the lock", async () => {
  const peek = peekJournal(files, folder);
  const journal = open();
  const seen: number[] = [];
  for (let round = 0; round < 5; round++) {
    journal.append([note(`${round}`), note("and more")], moment);
    await journal.durable();
    seen.push(...(await peek.read()).map(({ seq }) => seq));
    expect(await peek.read()).toEqual([]);
  }
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  peek.close();
  await journal.close();
});

test("what is seen is what was appended", async () => {
  const journal = open();
  const appended = journal.append([note("a")], { at: 1_700_000_000_123, time: 9 });
  await journal.close();
  const peek = peekJournal(files, folder);
  expect(await peek.read()).toEqual(appended.map((recorded) => ({ ...recorded, known: true })));
  peek.close();
});

test("wherever a write has come to, only whole appends are seen, and the rest when it is there", async () => {
  await record([["a"], ["b1", "b2"], ["c"]]);
  const full = readFileSync(log());
  const ends = [...full.toString().matchAll(/\n/g)].map(({ index }) => index + 1);
  for (let length = 0; length <= full.length; length += 7) {
    writeFileSync(log(), full.subarray(0, length));
    const peek = peekJournal(files, folder);
    const [one = 0, , three = 0, four = 0] = ends;
    const whole = length >= four ? 4 : length >= three ? 3 : length >= one ? 1 : 0;
    expect(await peek.read()).toHaveLength(whole);
    appendFileSync(log(), full.subarray(length));
    expect(await peek.read()).toHaveLength(4 - whole);
    peek.close();
  }
});

test("nothing is seen before it is durable: the reader sees to that itself", async () => {
  await record([["a"]]);
  const synced: File[] = [];
  const watched: Files = {
    ...files,
    syncData: async (file) => {
      await files.syncData(file);
      synced.push(file);
    },
  };
  const peek = peekJournal(watched, folder);
  expect(await peek.read()).toHaveLength(1);
  expect(synced).toHaveLength(1);
  const failing = peekJournal({ ...files, syncData: () => Promise.reject(new Error("EIO")) }, folder);
  await expect(failing.read()).rejects.toThrow("EIO");
  for (const one of [peek, failing]) one.close();
});

test("what is sound before a damage is seen, then the damage is told with its place", async () => {
  await record([["a"], ["b"], ["c"]]);
  const lines = readFileSync(log(), "utf8").split(/(?<=\n)/);
  writeFileSync(log(), [lines[0], lines[2]].join(""));
  const peek = peekJournal(files, folder);
  expect(await peek.read()).toHaveLength(1);
  await expect(peek.read()).rejects.toMatchObject({ code: "LOG_CORRUPT", place: { line: 2 } });
  peek.close();
});

test("a log that is cut off or removed under a follower is told", async () => {
  await record([["a"], ["b"]]);
  const peek = peekJournal(files, folder);
  await peek.read();
  truncateSync(log(), 5);
  await expect(peek.read()).rejects.toMatchObject({ code: "LOG_LOST_TAIL" });
  rmSync(log());
  await expect(peek.read()).rejects.toMatchObject({ code: "LOG_LOST_TAIL" });
  peek.close();
});

async function record(batches: string[][]): Promise<void> {
  const journal = open();
  for (const batch of batches) journal.append(batch.map(note), moment);
  await journal.close();
}

function open(): FileJournal {
  return FileJournal.open({ files, folder, chance: { id: () => "it" } });
}

function log(): string {
  return join(folder, "events.jsonl");
}
