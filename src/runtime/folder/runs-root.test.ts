import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFiles } from "../../world/files/choose-files.ts";
import { runsRoot } from "./runs-root.ts";

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "cox-root-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "repo/src/deep"), { recursive: true });
  mkdirSync(join(folder, "worktree/src"), { recursive: true });
  mkdirSync(join(folder, "repo/.git"));
  writeFileSync(join(folder, "worktree/.git"), "gitdir: elsewhere\n");
  return folder;
}

test.each([
  ["repo", "repo"],
  ["repo/src/deep", "repo"],
  ["worktree/src", "worktree"],
  ["repo/nowhere", "repo/nowhere"],
  [".", "."],
])("the runs of %s are kept in %s", (from, root) => {
  const folder = place();
  expect(runsRoot(openFiles(), join(folder, from))).toBe(join(folder, root));
});
