import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Folder } from "../world/files/files.ts";
import { nodeFiles } from "../world/files/node-files.ts";
import { Bookmark } from "./bookmark.ts";
import { Lock } from "./lock.ts";
import { Log } from "./log.ts";
import type { LogPosition } from "./scan.ts";

const files = nodeFiles();
let path: string;
let folder: Folder;
let lock: Lock;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "cox-turns-"));
  folder = files.openRoot(path);
  lock = Lock.take(files, folder, "lock", "the test") as Lock;
});

afterEach(() => {
  lock.release();
  files.close(folder);
  rmSync(path, { recursive: true, force: true });
});

function open(from?: LogPosition): Log {
  return Log.open({
    files,
    folder,
    name: "log",
    version: 1,
    understands: () => true,
    newId: () => `id-${Math.random()}`,
    lock,
    ...(from && { from }),
  });
}

function add(log: Log, ...events: string[]): void {
  log.append(
    events.map((event) => ({ event, data: {} })),
    { at: "now" },
  );
}

test("writers of a log who take turns read what the other appended, each with a fence of its own", () => {
  const [one, two] = [open(), open()];
  add(one, "a");
  expect(two.catchUp(lock).map(({ event }) => event)).toEqual(["a"]);
  add(two, "b", "c");
  add(two, "d");
  expect(one.catchUp(lock).map(({ event }) => event)).toEqual(["b", "c", "d"]);
  expect(one.catchUp(lock)).toEqual([]);
  add(one, "e");
  one.close();
  two.close();
  const records = Log.peek({ files, folder, name: "log" });
  expect(records.map(({ event, fence }) => `${event}${fence}`)).toEqual(["a1", "b2", "c2", "d2", "e5"]);
});

test("a writer that did not read the newest records of a log is refused, for good", () => {
  const [one, two] = [open(), open()];
  add(one, "a");
  expect(() => add(two, "b")).toThrow("somebody else wrote it");
  expect(() => two.catchUp(lock)).toThrow("somebody else wrote it");
  one.close();
  two.close();
});

test("an append that another writer was killed in is cut off and kept aside", () => {
  const [one, two] = [open(), open()];
  add(one, "a");
  two.catchUp(lock);
  add(one, "b");
  one.close();
  truncateSync(join(path, "log"), readFileSync(join(path, "log")).length - 3);
  expect(two.catchUp(lock)).toEqual([]);
  expect(readdirSync(path)).toContain("log.torn-2");
  expect(two.recovered).toHaveLength(1);
  add(two, "c");
  two.close();
  expect(Log.peek({ files, folder, name: "log" }).map(({ event }) => event)).toEqual(["a", "c"]);
});

test.each([
  [
    "somebody wrote another log into it",
    () => appendFileSync(join(path, "log"), strangeLine()),
    "LOG_CORRUPT",
  ],
  ["it was cut off", () => truncateSync(join(path, "log"), 10), "LOG_LOST_TAIL"],
  ["it was removed", () => rmSync(join(path, "log")), "LOG_FOREIGN"],
])("a log is not caught up with when %s", (_, harm, code) => {
  const log = open();
  add(log, "a");
  harm();
  expect(() => log.catchUp(lock)).toThrow(expect.objectContaining({ code }));
  log.close();
});

/** A whole record that the log already has. */
function strangeLine(): Buffer {
  return readFileSync(join(path, "log"));
}

test("a log is read from its bookmark, and from the beginning if there is none", () => {
  const log = open();
  add(log, "a");
  const bookmark = Bookmark.open(files, folder, "head");
  expect(bookmark.place).toBeUndefined();
  bookmark.move(log.place);
  expect(bookmark.isAt(log.place)).toBe(true);
  add(log, "b");
  expect(bookmark.isAt(log.place)).toBe(false);
  log.close();
  bookmark.close();
  const again = open(Bookmark.peek(files, folder, "head"));
  expect(again.records.map(({ event }) => event)).toEqual(["b"]);
  add(again, "c");
  again.close();
  expect(Log.peek({ files, folder, name: "log" }).map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test.each([
  ["the log is gone", () => rmSync(join(path, "log")), "LOG_LOST_TAIL"],
  ["the log is shorter", () => truncateSync(join(path, "log"), 5), "LOG_LOST_TAIL"],
  ["another record is in its place", () => flip(join(path, "log")), "LOG_CORRUPT"],
])("a log's bookmark is not trusted if %s, and nothing is rewritten", (_, harm, code) => {
  const log = open();
  add(log, "a");
  const { place } = log;
  log.close();
  harm();
  const before = readdirSync(path);
  expect(() => open(place)).toThrow(expect.objectContaining({ code }));
  expect(readdirSync(path)).toEqual(before);
});

test("if the last line of a bookmark is torn, the line before counts, and the bookmark does not grow for ever", () => {
  const log = open();
  const bookmark = Bookmark.open(files, folder, "head");
  add(log, "a");
  bookmark.move(log.place);
  const first = log.place;
  add(log, "b");
  bookmark.move(log.place);
  const whole = readFileSync(join(path, "head"));
  for (let length = whole.length - 2; length > whole.length - 60; length--) {
    writeFileSync(join(path, "head"), whole.subarray(0, length));
    expect(Bookmark.peek(files, folder, "head")).toEqual(first);
  }
  bookmark.close();
  const again = Bookmark.open(files, folder, "head");
  for (let moves = 0; moves < 1000; moves++) again.move(log.place);
  expect(readFileSync(join(path, "head")).length).toBeLessThan(65_537);
  expect(Bookmark.peek(files, folder, "head")).toEqual(log.place);
  again.close();
  log.close();
});

/** Changes the last digit of the checksum. */
function flip(file: string): void {
  const bytes = readFileSync(file);
  const at = bytes.length - 4;
  bytes[at] = bytes[at] === 0x30 ? 0x31 : 0x30;
  writeFileSync(file, bytes);
}
