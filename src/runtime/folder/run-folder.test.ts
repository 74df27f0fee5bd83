import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFiles } from "../../world/files/choose-files.ts";
import type { Files } from "../../world/files/files.ts";
import { RunFolder } from "./run-folder.ts";

test("runs are listed newest first, and other files are not taken for runs", async () => {
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

test("the newest run is the one that began last, whichever was written to last", async () => {
  const root = mkdtempSync(join(tmpdir(), "cox-runs-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = openFiles();
  for (const [run, began, written] of [
    ["old", 1, 9],
    ["new", 2, 3],
  ] as const) {
    (await RunFolder.make(files, root, run)).close();
    for (const [name, at] of [
      ["plan.md", began],
      ["events.jsonl", written],
    ] as const) {
      const path = join(root, ".coxswain/runs", run, name);
      writeFileSync(path, "");
      utimesSync(path, at, at);
    }
  }
  expect(RunFolder.list(files, root)).toEqual(["new", "old"]);
});

test("a file of a run that disappears while it is read counts as missing", async () => {
  const root = mkdtempSync(join(tmpdir(), "cox-runs-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = openFiles();
  let isTaken = false;
  const folder = await RunFolder.make(
    takenAfterALook(files, () => isTaken),
    root,
    "one",
  );
  onTestFinished(() => folder.close());
  await folder.keep("inbox/a.json", new Uint8Array([1]));
  isTaken = true;
  expect(folder.read("inbox/a.json")).toBeUndefined();
  expect(() => folder.remove("inbox/a.json")).not.toThrow();
});

/** Another process is always faster. */
function takenAfterALook(files: Files, isTaken: () => boolean): Files {
  return new Proxy(files, {
    get(target, name, self) {
      if (name !== "stat") return Reflect.get(target, name, self).bind?.(target) ?? Reflect.get(target, name);
      return (...[folder, file]: Parameters<Files["stat"]>) => {
        const seen = target.stat(folder, file);
        if (isTaken() && file === "a.json" && seen) target.unlink(folder, file);
        return seen;
      };
    },
  });
}
