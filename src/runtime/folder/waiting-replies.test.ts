import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { encodeUtf8 } from "../../std/utf8.ts";
import { openFiles } from "../../world/files/choose-files.ts";
import { keepWaitingReply, oldWaitingReplies, removeOldWaitingReplies } from "./waiting-replies.ts";

test("replies that waited too long for a person are removed, and no other files", async () => {
  const root = mkdtempSync(join(tmpdir(), "cox-waiting-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = openFiles();
  expect(removeOldWaitingReplies(files, root, Date.now())).toEqual([]);
  expect(readdirSync(root)).toEqual([]);

  const old = await keepWaitingReply(files, root, encodeUtf8("{}"));
  const fresh = await keepWaitingReply(files, root, encodeUtf8("[]"));
  const foreign = join(root, ".coxswain/waiting/mine.json");
  writeFileSync(foreign, "mine");
  for (const path of [join(root, old), foreign]) utimesSync(path, 1000, 1000);
  const removed = [{ path: old, bytes: 2 }];
  expect(oldWaitingReplies(files, root, 1_000_000)).toEqual([]);
  expect(oldWaitingReplies(files, root, 1_000_001)).toEqual(removed);
  expect(removeOldWaitingReplies(files, root, 1_000_001)).toEqual(removed);
  const left = readdirSync(join(root, ".coxswain/waiting")).sort();
  expect(left).toEqual([".gitignore", fresh.split("/").at(-1), "mine.json"].sort());
});
