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
import type { Folder } from "../world/files.ts";
import { nodeFiles } from "../world/node-files.ts";
import { Log } from "./log.ts";

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

test("what was appended is there after the log is opened again, in order, with the writer's fence", () => {
  append(["a", "b"], ["c"]);
  append(["d"]);
  expect(seen()).toEqual([
    { seq: 1, fence: 1, event: "a" },
    { seq: 2, fence: 1, event: "b" },
    { seq: 3, fence: 1, event: "c" },
    { seq: 4, fence: 4, event: "d" },
  ]);
});

test("an append of which any last part is missing is absent as a whole, and the rest is kept aside", () => {
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

test("an append whose first record came back as zeros is torn, not corrupt", () => {
  append(["a"]);
  const sound = bytes();
  append(["b", "c"]);
  const damaged = bytes();
  const second = damaged.indexOf(0x0a, sound.length);
  damaged.fill(0, sound.length, second);
  writeFileSync(logPath(), damaged);
  expect(seen().map(({ event }) => event)).toEqual(["a"]);
});

test("a tail of zeros is cut", () => {
  append(["a"]);
  appendFileSync(logPath(), Buffer.alloc(5000));
  expect(seen()).toHaveLength(1);
});

test("two torn tails at the same place are both kept", () => {
  append(["a"]);
  for (const rest of ["x", "y"]) {
    appendFileSync(logPath(), rest);
    seen();
  }
  expect(readdirSync(path).filter((name) => name.includes(".torn-"))).toHaveLength(2);
});

test("a line that is deleted, doubled or swapped in the middle is reported with its place", () => {
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

test("one flipped byte anywhere is either cut with the last append or reported: never read as something else", () => {
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

test("a log that is a link or a folder is not written to", () => {
  symlinkSync("/dev/null", logPath());
  expect(() => open()).toThrow(expect.objectContaining({ code: "STATE_UNSAFE" }));
  rmSync(logPath());
  mkdirSync(logPath());
  expect(() => open()).toThrow(expect.objectContaining({ code: "STATE_UNSAFE" }));
});

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
  return Log.open({
    files,
    folder,
    name: "log",
    version: 1,
    understands: ({ v }) => v <= 1,
    newId: () => "it",
  });
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
