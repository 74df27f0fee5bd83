import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { openFiles } from "../world/choose-files.ts";
import { runsOf } from "./runs.ts";

function repositoryWithRun() {
  const root = mkdtempSync(join(tmpdir(), "cox-runs-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const golden = fileURLToPath(new URL("../../test/golden/0.1.0", import.meta.url));
  cpSync(golden, join(root, ".coxswain", "runs", "first"), { recursive: true });
  return runsOf({ files: openFiles(), clock: { now: () => 0 } }, root);
}

test("a run is listed by its name, and told as cox status tells it", async () => {
  const runs = repositoryWithRun();
  expect(runs.list()).toEqual(["first"]);
  expect(await runs.status("first")).toMatchObject({ alive: false, total: expect.any(Number) });
});

test.for(["second", "fir", "../runs/first", ".", "..", ""])("%j is no run", async (name) => {
  expect(await repositoryWithRun().status(name)).toBeUndefined();
});
