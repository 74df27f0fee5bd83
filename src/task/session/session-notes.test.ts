import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFiles } from "../../world/files/choose-files.ts";
import { Tree } from "../../world/folders/tree.ts";
import { isSessionName, keepSessionNotes, readSessionNotes } from "./session-notes.ts";

const nothing = { compactions: 0, compacted: [], reminded: [] };
const compaction = { at: "2026-10-14T15:30:45Z", trigger: "auto", task: "build-it" };

test("notes of a session are read back, and no other session's", () => {
  const { tree } = project();
  const notes = { compactions: 1, compacted: [compaction], reminded: ["#build-it"] };
  keepSessionNotes(tree, "one", notes);
  expect(readSessionNotes(tree, "one")).toEqual(notes);
  expect(readSessionNotes(tree, "two")).toEqual(nothing);
});

test.each([
  "",
  "{",
  "null",
  "7",
  '{ "compactions": "many", "compacted": [{}, null, 1], "reminded": [1, null] }',
  "x".repeat(70_000),
])("a file of session notes that holds %j counts as empty", (text) => {
  const { root, tree } = project();
  mkdirSync(join(root, ".coxswain/sessions"));
  writeFileSync(join(root, ".coxswain/sessions/one.json"), text);
  expect(readSessionNotes(tree, "one")).toEqual(nothing);
});

test("a session's notes stay small, and still count everything", () => {
  const { tree } = project();
  const many = <T>(one: T) => Array.from({ length: 1_000 }, () => one);
  keepSessionNotes(tree, "one", { compactions: 1_000, compacted: many(compaction), reminded: many("#a") });
  const { compactions, compacted, reminded } = readSessionNotes(tree, "one");
  expect([compactions, compacted.length, reminded.length]).toEqual([1_000, 20, 200]);
});

test("notes of old sessions are removed, the newest are kept", () => {
  const { root, tree } = project();
  for (let at = 0; at < 75; at++) keepSessionNotes(tree, `s${at}`, { ...nothing, compactions: at });
  const kept = readdirSync(join(root, ".coxswain/sessions"));
  expect(kept.length).toBeLessThanOrEqual(60);
  expect(kept).toContain("s74.json");
  expect(kept).toContain(".gitignore");
});

test.each([[undefined], [7], [""], ["a/b"], [".."], [".hidden"], ["a\n"], ["x".repeat(81)]])(
  "%j is not a valid session name",
  (name) => {
    expect(isSessionName(name)).toBe(false);
  },
);

function project() {
  const root = mkdtempSync(join(tmpdir(), "cox-notes-"));
  mkdirSync(join(root, ".coxswain"));
  const tree = Tree.open(openFiles(), root);
  onTestFinished(() => {
    tree.close();
    rmSync(root, { recursive: true, force: true });
  });
  return { root, tree };
}
