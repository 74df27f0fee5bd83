import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFiles } from "../world/choose-files.ts";
import { RunFolder } from "./run-folder.ts";

test("runs are listed newest first, and nothing beside them is taken for one", async () => {
  const root = mkdtempSync(join(tmpdir(), "cox-runs-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = openFiles();
  for (const [at, run] of ["old", "new", "not-begun"].entries()) {
    (await RunFolder.make(files, root, run)).close();
    const log = join(root, ".coxswain/runs", run, "events.jsonl");
    if (run === "not-begun") continue;
    writeFileSync(log, "");
    utimesSync(log, at + 1, at + 1);
  }
  mkdirSync(join(root, ".coxswain/runs/empty"));
  expect(RunFolder.list(files, root)).toEqual(["new", "old"]);
});
