import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Folder } from "../world/files/files.ts";
import { nodeFiles } from "../world/files/node-files.ts";
import { Log } from "./log.ts";
import { seal } from "./seal.ts";

const files = nodeFiles();
let path: string;
let folder: Folder;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "cox-log-"));
  folder = files.openRoot(path);
});

afterEach(() => {
  files.close(folder);
  rmSync(path, { recursive: true, force: true });
});

test("appended records are there after the log is opened again, in order, with the writer's fence", () => {
  append(["a", "b"], ["c"]);
  append(["d"]);
  expect(seen()).toEqual([
    { seq: 1, fence: 1, event: "a" },
    { seq: 2, fence: 1, event: "b" },
    { seq: 3, fence: 1, event: "c" },
    { seq: 4, fence: 4, event: "d" },
  ]);
});

test("a log at its size limit takes no more records, says so, and stays as it is", () => {
  append(["a"]);
  const sound = bytes();
  const log = Log.open({ ...opening(), bytesMax: sound.length + 10 });
  const when = { at: "2026-01-01T00:00:00.000Z" };
  expect(() => log.append([{ event: "b", data: {} }], when)).toThrow(
    expect.objectContaining({
      code: "LOG_FULL",
      message: expect.stringMatching(/^log: it has \d+ B, and may/),
    }),
  );
  log.close();
  expect(bytes()).toEqual(sound);
});

test("an append whose end is missing in the log is absent as a whole, and the rest is kept aside", () => {
  append(["a"]);
  const sound = bytes();
  append(["b", "c"]);
  const full = bytes();
  for (let length = sound.length + 1; length < full.length; length++) {
    writeFileSync(logPath(), full.subarray(0, length));
    expect(seen().map(({ event }) => event)).toEqual(["a"]);
    expect(bytes()).toEqual(sound);
    const aside = readdirSync(path).filter((name) => name.includes(".torn-"));
    expect(aside).toHaveLength(1);
    expect(readFileSync(join(path, aside[0] ?? ""))).toEqual(full.subarray(sound.length, length));
    rmSync(join(path, aside[0] ?? ""));
  }
});

test("an append whose first record is read back as zeros is torn, not corrupt", () => {
  append(["a"]);
  const sound = bytes();
  append(["b", "c"]);
  const damaged = bytes();
  const second = damaged.indexOf(0x0a, sound.length);
  damaged.fill(0, sound.length, second);
  writeFileSync(logPath(), damaged);
  expect(seen().map(({ event }) => event)).toEqual(["a"]);
});

test("a tail of zeros is cut off the log", () => {
  append(["a"]);
  appendFileSync(logPath(), Buffer.alloc(5000));
  expect(seen()).toHaveLength(1);
});

test("two torn tails at the same place of a log are both kept", () => {
  append(["a"]);
  for (const rest of ["x", "y"]) {
    appendFileSync(logPath(), rest);
    seen();
  }
  expect(readdirSync(path).filter((name) => name.includes(".torn-"))).toHaveLength(2);
});

test("a line of the log that is deleted, doubled or swapped in the middle is reported with its place", () => {
  append(["a"], ["b"], ["c"], ["d"]);
  const [one, two, three, four] = bytes()
    .toString()
    .split(/(?<=\n)/) as [string, string, string, string];
  for (const damaged of [
    [one, three, four],
    [one, two, two, three, four],
    [one, three, two, four],
    [two, three, four],
  ]) {
    writeFileSync(logPath(), damaged.join(""));
    expect(() => open()).toThrow(expect.objectContaining({ code: "LOG_CORRUPT" }));
  }
});

test("one flipped byte anywhere in a log is either cut with the last append or reported, never read as something else", () => {
  append(["a"], ["b"], ["c"]);
  const sound = bytes();
  fc.assert(
    fc.property(fc.nat(sound.length - 1), fc.integer({ min: 1, max: 255 }), (place, flip) => {
      const damaged = Buffer.from(sound);
      damaged[place] = (damaged[place] ?? 0) ^ flip;
      writeFileSync(logPath(), damaged);
      try {
        expect(["a", "b", "c"].slice(0, 2)).toEqual(seen().map(({ event }) => event));
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^LOG_/) });
      }
    }),
    { numRuns: 300 },
  );
});

test("a log of the previous version, without ids, is read and continued without ids", () => {
  writeFileSync(logPath(), `${oldLines.join("\n")}\n`);
  append(["d"]);
  expect(seen()).toEqual([
    { seq: 1, fence: 1, event: "a" },
    { seq: 2, fence: 1, event: "b" },
    { seq: 3, fence: 1, event: "c" },
    { seq: 4, fence: 4, event: "d" },
  ]);
  expect(bytes().toString()).not.toContain('"log"');
});

test("a line without an id, as the previous version adds it to a log with ids, is no damage", () => {
  append(["a"]);
  const { sum: prev } = JSON.parse(bytes().toString());
  const old = {
    v: 1,
    seq: 2,
    at: "2026-01-01T00:00:00.000Z",
    fence: 2,
    batch: [2, 2],
    event: "b",
    data: 0,
    prev,
  };
  appendFileSync(logPath(), `${seal(old).text}\n`);
  append(["c"]);
  expect(seen().map(({ event }) => event)).toEqual(["a", "b", "c"]);
});

test("of several appends in one write any first part may survive; the rest is torn, whatever became of it", async () => {
  append(["a"]);
  const sound = bytes();
  const log = open();
  for (const batch of [["b"], ["c", "d"], ["e"]])
    log.enqueue(
      batch.map((event) => ({ event, data: {} })),
      { at: "2026-01-01T00:00:00.000Z" },
    );
  await log.finish();
  const full = bytes();
  const ends = [...full.toString().matchAll(/\n/g)].map(({ index }) => index + 1);
  const whole = (length: number) => [1, 2, 4, 5].filter((count) => (ends[count - 1] ?? 0) <= length).at(-1);
  for (let place = sound.length; place < full.length; place += 13) {
    // A file system that writes pages back in any order may leave this: a hole with data after it.
    const holed = Buffer.from(full);
    holed.fill(0, place, Math.min(place + 40, holed.length));
    for (const damaged of [full.subarray(0, place), holed]) {
      writeFileSync(logPath(), damaged);
      expect(seen()).toHaveLength(whole(place) ?? 0);
    }
  }
});

test("a hole in a write to the log that was followed by another write is damage", async () => {
  const log = open();
  for (const event of ["a", "b", "c", "d"]) {
    log.enqueue([{ event, data: {} }], { at: "2026-01-01T00:00:00.000Z" });
    if (event === "b") await log.durable();
  }
  await log.finish();
  const damaged = bytes();
  damaged.fill(0, 20, 60);
  writeFileSync(logPath(), damaged);
  expect(() => open()).toThrow(expect.objectContaining({ code: "LOG_CORRUPT" }));
});

test("text inside an event that looks like a log line is not taken for one", () => {
  append(["a"]);
  const length = bytes().length;
  const log = open();
  log.append([{ event: "b", data: { text: bytes().toString(), batch: [77, 77] } }], { at: "x" });
  log.close();
  writeFileSync(logPath(), bytes().subarray(0, -3));
  expect(seen()).toHaveLength(1);
  expect(bytes()).toHaveLength(length);
});

test("the head of a log is written every so many writes, and covers only durable records", async () => {
  const log = Log.open({ ...opening(), head: "head" });
  const headSeq = () => JSON.parse(readFileSync(join(path, "head"), "utf8")).seq;
  for (let write = 1; write <= 260; write++) {
    log.enqueue([{ event: "a", data: {} }], { at: "x" });
    await log.durable();
    expect(headSeq()).toBe(write - (write % 128));
  }
  await log.finish();
  expect(headSeq()).toBe(260);
});

test("a log that is a link or a folder is not written to", () => {
  symlinkSync("/dev/null", logPath());
  expect(() => open()).toThrow(expect.objectContaining({ code: "STATE_UNSAFE" }));
  rmSync(logPath());
  mkdirSync(logPath());
  expect(() => open()).toThrow(expect.objectContaining({ code: "STATE_UNSAFE" }));
});

/** Written by the previous version. */
const oldLines = [
  '{"v":1,"seq":1,"at":"2026-01-01T00:00:00.000Z","fence":1,"batch":[1,2],"event":"a","data":{"about":"a"},"prev":"","sum":"9545c477986b93813e2ae19d6c462bb8"}',
  '{"v":1,"seq":2,"at":"2026-01-01T00:00:00.000Z","fence":1,"batch":[1,2],"event":"b","data":{"about":"b"},"prev":"9545c477986b93813e2ae19d6c462bb8","sum":"c5e069d07d009d687222db0be9e16c2f"}',
  '{"v":1,"seq":3,"at":"2026-01-01T00:00:00.000Z","fence":1,"batch":[3,3],"event":"c","data":{"about":"c"},"prev":"c5e069d07d009d687222db0be9e16c2f","sum":"98dd43fd8582f8fcc5132fcec0d8acb9"}',
];

function append(...batches: string[][]): void {
  const log = open();
  for (const batch of batches)
    log.append(
      batch.map((event) => ({ event, data: { about: event } })),
      { at: "2026-01-01T00:00:00.000Z" },
    );
  log.close();
}

function open(): Log {
  return Log.open(opening());
}

function opening() {
  const understands = ({ v }: { readonly v: number }) => v <= 1;
  return { files, folder, name: "log", version: 1, understands, newId: () => "it" };
}

function seen(): { seq: number; fence: number; event: string }[] {
  const log = open();
  log.close();
  return log.records.map(({ seq, fence, event }) => ({ seq, fence, event }));
}

function bytes(): Buffer {
  return readFileSync(logPath());
}

function logPath(): string {
  return join(path, "log");
}
