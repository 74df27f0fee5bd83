import { appendFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { openFiles } from "../world/choose-files.ts";
import { runsOf } from "./runs.ts";

function repositoryWithRun() {
  const root = mkdtempSync(join(tmpdir(), "cox-runs-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const golden = fileURLToPath(new URL("../../test/golden/0.1.0", import.meta.url));
  const folder = join(root, ".coxswain", "runs", "first");
  const copy = (name: string) => cpSync(golden, join(root, ".coxswain", "runs", name), { recursive: true });
  copy("first");
  const runs = runsOf({ files: openFiles(), clock: { now: () => 0 } }, root);
  return { root, folder, copy, runs };
}

test("a run is listed by its name, and told as cox status tells it", async () => {
  const { runs } = repositoryWithRun();
  expect(runs.list()).toEqual(["first"]);
  expect(JSON.parse((await runs.read("first", "status")) ?? "")).toMatchObject({
    alive: false,
    total: expect.any(Number),
  });
});

test("what it asks and what happened last are read by themselves", async () => {
  const { runs } = repositoryWithRun();
  expect(JSON.parse((await runs.read("first", "questions")) ?? "")).toEqual({ questions: expect.any(Array) });
  const lines = (await runs.read("first", "log"))?.trimEnd().split("\n") ?? [];
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.length).toBeLessThanOrEqual(100);
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ \S/);
});

test.for(["second", "fir", "../runs/first", ".", "..", ""])("%j is no run", async (name) => {
  expect(await repositoryWithRun().runs.read(name, "status")).toBeUndefined();
});

test("who watches hears of a run that came, grew or went, and nothing when nothing happened", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { root, folder, copy, runs } = repositoryWithRun();
  const heard: string[] = [];
  const stop = runs.watch((names) => heard.push(...names));
  vi.advanceTimersByTime(5_000);
  expect(heard).toEqual([]);
  appendFileSync(join(folder, "events.jsonl"), "{}\n");
  vi.advanceTimersByTime(1_000);
  expect(heard.splice(0)).toEqual(["first"]);
  copy("second");
  vi.advanceTimersByTime(1_000);
  expect(heard.splice(0)).toEqual(["second"]);
  rmSync(join(root, ".coxswain", "runs", "second"), { recursive: true });
  vi.advanceTimersByTime(1_000);
  expect(heard.splice(0)).toEqual(["second"]);
  stop();
  copy("third");
  vi.advanceTimersByTime(5_000);
  expect(heard).toEqual([]);
});
