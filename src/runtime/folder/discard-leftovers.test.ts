import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { encodeUtf8 } from "../../std/utf8.ts";
import { openFiles } from "../../world/files/choose-files.ts";
import { discardLeftovers } from "./discard-leftovers.ts";
import { RunFolder } from "./run-folder.ts";

test("unfinished files of a killed writer are removed by name; whole files, and other requests, stay", async () => {
  const root = mkdtempSync(join(tmpdir(), "cox-leftovers-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = await RunFolder.make(openFiles(), root, "r1");
  onTestFinished(() => folder.close());
  await folder.keep("progress/0001.md", encodeUtf8("a page"));
  await folder.keep("state.json", encodeUtf8("{}"));
  const left = ["state.json.new", "live.json.new", "snapshot.json.new", "progress/0002.md.new"];
  const others = ["inbox/r.json.new", "notes.new", "progress/notes.md"];
  for (const name of [...left, ...others]) writeFileSync(join(folder.path, name), "{ half");
  expect(discardLeftovers(folder).sort()).toEqual(left.map((name) => `temp_file_exists: ${name}`).sort());
  for (const name of left) expect(existsSync(join(folder.path, name)), name).toBe(false);
  for (const name of [...others, "state.json", "progress/0001.md"])
    expect(existsSync(join(folder.path, name)), name).toBe(true);
  expect(discardLeftovers(folder)).toEqual([]);
});
