import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { openFiles } from "../../world/files/choose-files.ts";
import type { ToolContext } from "../tool.ts";
import { runStatus } from "../tools/run/run-status.ts";
import { runsOf, runViews } from "./runs.ts";

function repositoryWithRun() {
  const root = mkdtempSync(join(tmpdir(), "cox-runs-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const golden = fileURLToPath(new URL("../../../test/golden/0.1.0", import.meta.url));
  const folder = join(root, ".coxswain", "runs", "first");
  const copy = (name: string) => cpSync(golden, join(root, ".coxswain", "runs", name), { recursive: true });
  copy("first");
  const runs = runsOf({ files: openFiles(), clock: { now: () => 0 } }, root);
  return { root, folder, copy, runs };
}

test("the resource of a run has its name, and shows it as cox status does", async () => {
  const { runs } = repositoryWithRun();
  expect(runs.list()).toEqual(["first"]);
  expect(JSON.parse((await runs.read("first", "status")) ?? "")).toMatchObject({
    alive: false,
    total: expect.any(Number),
  });
});

test("a run's questions and its latest events are resources of their own", async () => {
  const { runs } = repositoryWithRun();
  expect(JSON.parse((await runs.read("first", "questions")) ?? "")).toEqual({
    questions: expect.any(Array),
    warnings: [],
  });
  const lines = (await runs.read("first", "log"))?.trimEnd().split("\n") ?? [];
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.length).toBeLessThanOrEqual(100);
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ \S/);
});

const damages: Readonly<Record<string, readonly [code: string, spoil: (folder: string) => void]>> = {
  "a lost tail": ["LOG_LOST_TAIL", rewriting((lines) => lines.slice(0, -2))],
  "a line twice": ["LOG_CORRUPT", rewriting((lines) => [...lines, lines.at(-1) ?? ""])],
  "a line missing": ["LOG_CORRUPT", rewriting((lines) => lines.filter((_, at) => at !== 3))],
  "another letter": ["LOG_CORRUPT", rewriting((lines) => lines.with(3, lines[3]?.replace("{", "[") ?? ""))],
  "the log gone": ["LOG_LOST_TAIL", (folder) => rmSync(join(folder, "events.jsonl"))],
};

function rewriting(change: (lines: string[]) => string[]) {
  return (folder: string) => {
    const log = join(folder, "events.jsonl");
    const lines = readFileSync(log, "utf8").trimEnd().split("\n");
    writeFileSync(log, `${change(lines).join("\n")}\n`);
  };
}

test.for(Object.entries(damages))(
  "no resource of a run is given for %s, and run_status reports it first",
  async ([, row]) => {
    const [code, spoil] = row;
    const { root, runs, folder } = repositoryWithRun();
    spoil(folder);
    for (const view of runViews) await expect(runs.read("first", view)).rejects.toMatchObject({ code });
    const context = { files: openFiles(), root, clock: { now: () => 0 } } as ToolContext;
    const answer = await runStatus.call({}, context);
    expect(answer).toMatchObject({ errors: [{ code }], data: { alive: false } });
  },
);

test("a missing log head is reported by every view of a run, and is no error", async () => {
  const { root, runs, folder } = repositoryWithRun();
  rmSync(join(folder, "head"));
  const warnings = [{ code: "LOG_UNWITNESSED" }];
  for (const view of ["status", "questions"] as const)
    expect(JSON.parse((await runs.read("first", view)) ?? "")).toMatchObject({ warnings });
  expect(await runs.read("first", "log")).toMatch(/^! LOG_UNWITNESSED\n/);
  const context = { files: openFiles(), root, clock: { now: () => 0 } } as ToolContext;
  const answer = await runStatus.call({}, context);
  expect(answer).toMatchObject({ data: { warnings }, text: expect.stringMatching(/^! LOG_UNWITNESSED\n/) });
  expect(answer).not.toHaveProperty("errors");
});

test.for(["second", "fir", "../runs/first", ".", "..", ""])("%j is not the name of a run", async (name) => {
  expect(await repositoryWithRun().runs.read(name, "status")).toBeUndefined();
});

test("a watcher hears of a run that came, grew or went, and nothing else", async () => {
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
