import { expect, test } from "vitest";
import { someCommit, someTree } from "../../../test/kernel/some-object-ids.ts";
import { story } from "../../../test/view/story.ts";
import type { Occurred } from "../../kernel/evolve.ts";
import type { TaskId } from "../../plan/plan.ts";
import { noPaint } from "../text/paint.ts";
import { widthOf } from "../text/width.ts";
import { runStats } from "./run-stats.ts";
import { runStatsText } from "./run-stats-text.ts";

const a = "a" as TaskId;

/** Two turns are lost or refused, an audit fails, then the task is committed; another task is only started. */
const told = story({ task: a, auditor: "tester" }, { task: "b" as TaskId, agent: "writer" });
told
  .works("a")
  .tell("agent_crashed", {
    turn: told.turnOf("a"),
    code: "AGENT_EXIT",
    message: "x",
    last_line: "",
    spent: { ms: 2000, usd_micros: 0 },
  })
  .works("a");
const second = told.turnOf("a");
told
  .replies("a", { ms: 3000, tokens: 500, usd_micros: 100_000 })
  .tell("reply_refused", { task: a, turn: second, problems: [] })
  .delivers("a")
  .tell("auditor_fail", { task: a, attempt: 1, by: "verify commands", findings: [] })
  .delivers("a")
  .tell("verification_passed", {
    work: { of: "task", task: a, attempt: 2 },
    tree: someTree("tree-a"),
    evidence: { sha256: "0", commands: [] },
  })
  .audits("a")
  .replies("a", { ms: 5000, usd_micros: 400_000 })
  .commits("a")
  .works("b");

const stats = runStats(told.events);

test("run statistics count turns, attempts, refusals, failed audits, time, tokens and money for each agent", () => {
  expect(stats.agents).toMatchObject([
    { agent: "tester", turns: 1, ms: 5000, usd_micros: 400_000, attempts: 0, failed_audits: 0 },
    {
      agent: "backend",
      turns: 4,
      lost_turns: 1,
      refused_replies: 1,
      attempts: 2,
      failed_audits: 1,
      commits: 1,
      ms: 7000,
      tokens: 500,
      usd_micros: 100_000,
    },
    { agent: "writer", turns: 1, attempts: 1, ms: 0 },
  ]);
});

test("run statistics count the same for each task, and the sums of agents and tasks are the whole", () => {
  expect(stats.tasks).toMatchObject([
    { task: "a", committed: true, turns: 5, attempts: 2, usd_micros: 500_000 },
    { task: "b", committed: false, turns: 1, attempts: 1 },
  ]);
  for (const name of [
    "turns",
    "attempts",
    "ms",
    "tokens",
    "usd_micros",
    "commits",
    "failed_audits",
  ] as const) {
    const sum = (rows: readonly Record<typeof name, number>[]) =>
      rows.reduce((all, row) => all + row[name], 0);
    expect([sum(stats.agents), sum(stats.tasks)], name).toEqual([stats.total[name], stats.total[name]]);
  }
});

test("in run statistics a reverted task no longer counts as committed", () => {
  const back = story("a").commits("a");
  const from_sha = back.state.tip;
  back
    .tell("rollback_requested", { tasks: [a], by: { who: "ana", door: "terminal" } })
    .tell("rollback_prepared", {
      task: a,
      reverts: from_sha,
      parent: from_sha,
      tree: someTree("t"),
      commit: someCommit("r"),
    })
    .tell("task_rolled_back", { task: a, from_sha, to_sha: someCommit("r") });
  expect(runStats(back.events).tasks).toMatchObject([{ task: "a", committed: false, commits: 1 }]);
});

test("run statistics as text, with what was spent first", () => {
  expect(
    runStatsText(stats, { columns: 80, paint: noPaint, ascii: false }),
  ).toBe(`agent    money  tokens  time  turns  lost  refused  failed  attempts
tester   $0.40       0    5s      1     0        0       0         0
backend  $0.10     500    7s      4     1        1       1         2
writer      $0       0    0s      1     0        0       0         1
task     money  tokens  time  turns  lost  refused  failed  attempts
✓ a      $0.50     500   12s      5     1        1       1         2
· b         $0       0    0s      1     0        0       0         1
all      $0.50     500   12s      6     1        1       1         3
`);
});

test("run statistics fit the terminal's width, and show some of ten thousand tasks", () => {
  const many = story(...Array.from({ length: 10_000 }, (_, at) => `タスク${at}`));
  for (let at = 0; at < 200; at++) many.works(`タスク${at}`);
  for (const columns of [40, 80, 200]) {
    const lines = runStatsText(runStats(many.events), { columns, paint: noPaint, ascii: false }).split("\n");
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    expect(lines.length).toBeLessThan(60);
  }
});

test("run statistics compare the files promised by committed work with the files in the run's commits", () => {
  const files = (task: string, ...paths: string[]) => ({
    task: task as TaskId,
    attempt: 1,
    tree: "t",
    files: paths,
    summary: "",
    outputs: [],
  });
  const commit = (task: string, ...paths: string[]) => ({
    task: task as TaskId,
    commit_sha: "c",
    parent: "p",
    files_modified: paths,
    branch: "b",
  });
  const failed = { tree: "t", evidence: { sha256: "0", commands: [] }, why: "" };
  const event = (name: string, data: unknown, seq: number) =>
    ({ event: name, data, seq, time: 0, at: 0 }) as Occurred;
  const { total, tasks } = runStats(
    [
      ["developer_ready_for_audit", files("a", "one", "both")],
      ["task_commit_recorded", commit("a", "one", "both")],
      // A file that is unchanged from an earlier commit is in no second one; a file in no commit is lost.
      ["developer_ready_for_audit", files("b", "both", "lost")],
      ["verification_failed", { work: { of: "task", task: "b", attempt: 1 }, ...failed }],
      ["verification_failed", { work: { of: "run" }, ...failed }],
      ["task_commit_recorded", commit("b")],
      // Never committed, so it promised nothing.
      ["developer_ready_for_audit", files("c", "never")],
    ].map(([name, data], at) => event(name as string, data, at + 1)),
  );
  expect(total).toMatchObject({ promised_files: 4, persisted_files: 3, verification_failures: 2 });
  expect(tasks.find(({ task }) => task === "b")).toMatchObject({
    promised_files: 2,
    persisted_files: 1,
    verification_failures: 1,
  });
});

test("run statistics mark estimated costs, and name models without a price", () => {
  const priced = story({ task: a });
  priced
    .works("a")
    .replies("a", { ms: 1, tokens: 5, usd_micros: 20_000, usd_estimated: true, unpriced: ["who-knows"] });
  const { unpriced, total } = runStats(priced.events);
  expect({ unpriced, ...total }).toMatchObject({ unpriced: ["who-knows"], usd_micros_estimated: 20_000 });
  const text = runStatsText(runStats(priced.events), { columns: 120, paint: noPaint, ascii: false });
  expect(text).toMatch(/^all +at least ~\$0\.02 /m);
  expect(text).toContain("~ estimated from list prices");
  expect(text).toContain("their price is unknown: who-knows");
});
