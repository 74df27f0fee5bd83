import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nodeFiles } from "../world/files/node-files.ts";
import { FileJournal } from "./file-journal.ts";
import { moment, note } from "./journal.contract.ts";

const files = nodeFiles();
const state = { tasks: [{ name: "a", done: true }], text: "é\n\u2028" };
let folder: string;
let journal: FileJournal;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cox-snapshot-"));
  journal = open();
  for (const reason of ["a", "b", "c"]) journal.append([note(reason)], moment);
  await journal.durable();
  await journal.keepSnapshot({ version: 3, seq: 2, state });
});

afterEach(async () => {
  await journal.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a snapshot of the state is read back with the number of its last record", async () => {
  expect(journal.snapshot(3)).toEqual({ seq: 2, state });
  await journal.close();
  journal = open();
  expect(journal.snapshot(3)).toEqual({ seq: 2, state });
});

test("a newer snapshot replaces the older one", async () => {
  await journal.keepSnapshot({ version: 3, seq: 3, state: "other" });
  expect(journal.snapshot(3)).toEqual({ seq: 3, state: "other" });
});

test("a snapshot of another version of the state is ignored", () => {
  expect(journal.snapshot(2)).toBeUndefined();
  expect(journal.snapshot(4)).toBeUndefined();
});

test.each([
  ["missing", (path: string) => rmSync(path)],
  ["empty", (path: string) => writeFileSync(path, "")],
  ["half", (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 50))],
  ["changed", (path: string) => writeFileSync(path, readFileSync(path, "utf8").replace("true", "null"))],
  ["not JSON", (path: string) => writeFileSync(path, "[]")],
  [
    "a folder",
    (path: string) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
])("a snapshot that is %s is ignored", (_, harm) => {
  harm(join(folder, "snapshot.json"));
  expect(journal.snapshot(3)).toBeUndefined();
});

test("a snapshot of a record that this log does not have is ignored", async () => {
  const kept = readFileSync(join(folder, "snapshot.json"));
  await journal.close();
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  journal = open();
  for (const [seq, reason] of ["a", "B"].entries()) {
    writeFileSync(join(folder, "snapshot.json"), kept);
    expect(journal.snapshot(3), `after ${seq} records`).toBeUndefined();
    journal.append([note(reason)], moment);
  }
  expect(journal.snapshot(3)).toBeUndefined();
});

function open(): FileJournal {
  return FileJournal.open({ files, folder, chance: { id: () => "it" } });
}
