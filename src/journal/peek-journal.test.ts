import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { File, Files } from "../world/files/files.ts";
import { nodeFiles } from "../world/files/node-files.ts";
import { FileJournal } from "./file-journal.ts";
import { moment, note } from "./journal.contract.ts";
import { peekJournal } from "./peek-journal.ts";

const files = nodeFiles();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cox-peek-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("reading the log before the run began finds nothing and creates nothing", async () => {
  const peek = peekJournal(files, folder);
  expect(await peek.read()).toEqual([]);
  expect(existsSync(log())).toBe(false);
  peek.close();
});

test("a follower of the log sees every record once, in order, while the writer holds the lock", async () => {
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

test("a reader of the log sees exactly the appended records", async () => {
  const journal = open();
  const appended = journal.append([note("a")], { at: 1_700_000_000_123, time: 9 });
  await journal.close();
  const peek = peekJournal(files, folder);
  expect(await peek.read()).toEqual(appended.map((recorded) => ({ ...recorded, known: true })));
  peek.close();
});

test("a reader sees only whole appends of a write in progress, and the rest once it is there", async () => {
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

test("a reader syncs the log itself, so it sees only durable records", async () => {
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

test("a reader of a damaged log sees the sound records before the damage, and its place", async () => {
  await record([["a"], ["b"], ["c"]]);
  const lines = readFileSync(log(), "utf8").split(/(?<=\n)/);
  writeFileSync(log(), [lines[0], lines[2]].join(""));
  const peek = peekJournal(files, folder);
  expect(await peek.read()).toHaveLength(1);
  expect(peek.damage).toMatchObject({ code: "LOG_CORRUPT", line: 2 });
  expect(() => peek.mustBeSound()).toThrow("line 2");
  expect(await peek.read()).toEqual([]);
  expect(peek.damage).toMatchObject({ code: "LOG_CORRUPT", line: 2 });
  peek.close();
});

test("a log that is cut off or removed is reported to its follower", async () => {
  await record([["a"], ["b"]]);
  const peek = peekJournal(files, folder);
  await peek.read();
  expect(peek.damage).toBeUndefined();
  truncateSync(log(), 5);
  expect(await peek.read()).toEqual([]);
  expect(peek.damage).toMatchObject({ code: "LOG_LOST_TAIL" });
  rmSync(log());
  expect(await peek.read()).toEqual([]);
  expect(peek.damage).toMatchObject({ code: "LOG_LOST_TAIL" });
  peek.close();
});

test("a log that was cut after a whole line, or is gone, is recognised by its head", async () => {
  await record([["a"], ["b"], ["c"]]);
  const [first = ""] = readFileSync(log(), "utf8").split(/(?<=\n)/);
  writeFileSync(log(), first);
  expect(await looked()).toMatchObject({ count: 1, damage: { code: "LOG_LOST_TAIL" }, warning: undefined });
  rmSync(log());
  expect(await looked()).toMatchObject({ count: 0, damage: { code: "LOG_LOST_TAIL" } });
});

test("a log with another record than its head describes is reported", async () => {
  await record([["a"], ["b"]]);
  const head = readFileSync(join(folder, "head"));
  rmSync(log());
  rmSync(join(folder, "head"));
  await record([["a"], ["another"], ["c"]]);
  writeFileSync(join(folder, "head"), head);
  expect(await looked()).toMatchObject({ count: 3, damage: { code: "LOG_CORRUPT" } });
});

test.for([
  ["missing", (head: string) => rmSync(head)],
  ["damaged", (head: string) => writeFileSync(head, "no head\n")],
] as const)("a log head that is %s is no damage, and is reported", async ([what, spoil]) => {
  await record([["a"], ["b"]]);
  spoil(join(folder, "head"));
  const { count, damage, warning } = await looked();
  expect({ count, damage }).toEqual({ count: 2, damage: undefined });
  expect(warning).toMatchObject({ code: "LOG_UNWITNESSED", message: expect.stringContaining(what) });
});

test("a reader reports no damage while a writer begins, appends and moves the head, wherever the two meet", async () => {
  const disk = await statesOfDisk(4);
  for (let from = 0; from < disk.length; from++) {
    for (let call = 0; call < 12; call++) {
      for (const steps of [1, 2, 3, disk.length]) {
        const { world, moved } = movingFiles(disk, { from, call, steps });
        const peek = peekJournal(world, folder);
        const seen = await peek.read();
        const { damage, warning } = peek;
        expect({ from, call, steps, damage, warning }).toEqual({ from, call, steps });
        expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, at) => at + 1));
        expect(seen.length).toBeLessThanOrEqual(recordsIn(moved()));
        peek.close();
      }
    }
  }
});

interface DiskState {
  readonly log: string | undefined;
  readonly head: string | undefined;
}

/**
 * The successive states of the disk while a writer begins and appends; each head comes after the records it mentions.
 */
async function statesOfDisk(appends: number): Promise<DiskState[]> {
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const states: DiskState[] = [
    { log: undefined, head: undefined },
    { log: "", head: undefined },
  ];
  for (let at = 0; at <= appends; at++) {
    const { head } = states.at(-1) ?? {};
    await record(at === 0 ? [] : [[`${at}`]]);
    states.push({ log: read("events.jsonl"), head }, { log: read("events.jsonl"), head: read("head") });
  }
  return states;
}

function recordsIn({ log = "" }: DiskState): number {
  return log.split("\n").length - 1;
}

/** The disk is in one state, and at one of the reader's system calls moves this many steps ahead. */
function movingFiles(
  disk: readonly DiskState[],
  { from, call, steps }: { readonly from: number; readonly call: number; readonly steps: number },
) {
  let at = from;
  let calls = 0;
  put(disk[at]);
  const counting =
    <Given extends unknown[], T>(work: (...given: Given) => T) =>
    (...given: Given): T => {
      if (calls++ === call) {
        at = Math.min(at + steps, disk.length - 1);
        put(disk[at]);
      }
      return work(...given);
    };
  const world: Files = {
    ...files,
    stat: counting(files.stat),
    statOf: counting(files.statOf),
    open: counting(files.open),
    read: counting(files.read),
  };
  return { world, moved: () => disk[at] as DiskState };
}

/** Writes as a writer does: the log grows in place, the head is replaced by a new file. */
function put({ log: text, head }: DiskState = { log: undefined, head: undefined }): void {
  if (text === undefined) rmSync(log(), { force: true });
  else writeFileSync(log(), text);
  const path = join(folder, "head");
  if (head === undefined) rmSync(path, { force: true });
  else {
    writeFileSync(`${path}.new`, head);
    renameSync(`${path}.new`, path);
  }
}

async function looked() {
  const peek = peekJournal(files, folder);
  const { length: count } = await peek.read();
  const { damage, warning } = peek;
  peek.close();
  return { count, damage, warning };
}

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
