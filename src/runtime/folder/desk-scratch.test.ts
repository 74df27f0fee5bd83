import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFiles } from "../../world/files/choose-files.ts";
import { deskScratch } from "./desk-scratch.ts";
import { handedInName, refusalsName } from "./scratch.ts";

const scratch = deskScratch({
  files: openFiles(),
  remove: (path) => rm(path, { recursive: true, force: true }),
});

async function opened(): Promise<string> {
  const above = mkdtempSync(join(tmpdir(), "cox-scratch-"));
  onTestFinished(() => rmSync(above, { recursive: true, force: true }));
  const path = join(above, "one.scratch");
  await scratch.open(path);
  return path;
}

test("a turn finds its scratch folder empty, whatever an earlier one left, and leaves none behind", async () => {
  const path = await opened();
  writeFileSync(join(path, "left.txt"), "");
  await scratch.open(path);
  expect(existsSync(join(path, "left.txt"))).toBe(false);
  await scratch.close(path);
  expect(existsSync(path)).toBe(false);
});

test("refused commands are read line by line, other lines are skipped, and no more than twenty count", async () => {
  const path = await opened();
  const notes = [
    '{"command":"cox confirm q1"}',
    "half a li",
    '{"command":7}',
    "null",
    '{"command":"a\\u001b[2Jb"}',
  ];
  writeFileSync(join(path, refusalsName), `${notes.join("\n")}\n`);
  const read = scratch.refusals(path);
  expect(read).toHaveLength(2);
  expect(read[0]).toBe("cox confirm q1");
  expect(read[1]).not.toContain("\u001b");
  writeFileSync(join(path, refusalsName), '{"command":"x"}\n'.repeat(1000));
  expect(scratch.refusals(path)).toHaveLength(20);
});

test.each([
  ["a link to a file elsewhere", (at: string) => symlinkSync("/etc/hostname", at)],
  ["a link to an endless device", (at: string) => symlinkSync("/dev/zero", at)],
  ["a folder", (at: string) => mkdirSync(at)],
  ["nothing", () => {}],
])("if an agent put %s in place of the list of refused commands, the list is empty", async (_, put) => {
  const path = await opened();
  put(join(path, refusalsName));
  expect(scratch.refusals(path)).toEqual([]);
});

test("a scratch folder that the agent removed is no failure", async () => {
  const path = await opened();
  rmSync(path, { recursive: true });
  expect(scratch.refusals(path)).toEqual([]);
});

test("a reply handed in for an agent is added to its own; if the agent broke the file, it is lost without a failure", async () => {
  const path = await opened();
  writeFileSync(join(path, handedInName), "half a li");
  scratch.handIn(path, "\n{}\n");
  expect(scratch.handedIn(path)).toBe("half a li\n{}\n");
  rmSync(join(path, handedInName));
  mkdirSync(join(path, handedInName));
  scratch.handIn(path, "\n{}\n");
  expect(scratch.handedIn(path)).toBe("");
});
