import { expect, test } from "vitest";
import { someCommit, someTree } from "../../../test/kernel/some-object-ids.ts";
import { by, type Story, story, storyWith } from "../../../test/view/story.ts";
import type { QuestionId } from "../../kernel/event.ts";
import type { TaskId } from "../../plan/plan.ts";
import { summaryText } from "../end/summary.ts";
import { liveFrame } from "../live/live-frame.ts";
import { noPaint } from "../text/paint.ts";
import { widthOf } from "../text/width.ts";
import { type Liveness, noLiveness } from "./liveness.ts";
import { runListDocument } from "./run-list.ts";
import { statusDocument } from "./status.ts";
import { statusText } from "./status-text.ts";

const busy = story(
  { task: "bucket" as TaskId, writes: ["src/bucket/**"] },
  "store",
  "docs",
  "middleware after bucket",
  "changelog after middleware",
)
  .commits("bucket", ["src/bucket/a.ts", "src/bucket/b.ts"])
  .after(60_000)
  .works("store")
  .asks("middleware", "What is the default limit per key?", ["600/min", "60/min"])
  .works("docs")
  .replies("docs", { ms: 5000, usd_micros: 1_120_000 })
  .fails("docs", "3 replies in a row were rejected; the last one: no JSON")
  .tell("divine_response_received", { question: "q2" as QuestionId, answer: "give up", by })
  .after(31_000);

const alive: Liveness = {
  isAlive: true,
  turns: new Map([[busy.turnOf("store"), { heard: busy.now.time - 2000, action: "editing src/store.ts" }]]),
  checks: new Map(),
};

function shown(told: Story, columns: number, { liveness = alive, ascii = false, rows = 40 } = {}): string {
  return statusText({ state: told.state, now: told.now, liveness }, { columns, rows, ascii, paint: noPaint });
}

test("the status of a run says on one screen what needs you, who works, what waits, what is done, what failed", () => {
  expect(shown(busy, 80)).toBe(`Rate-limit the public API · r7k2
running · 1m31s · $1.12 · 1 of 3 agents
████▒▒▒▒▒▒▒▒░░░░░░░░  1 of 5 done · 1 working · 1 for you · 1 failed · 1 waiting

Needs you
  ? q1  middleware · asked by backend · 31s ago · holds up 1 task
      What is the default limit per key?
      1  600/min
      2  60/min
      cox answer q1 "…"

Working
  ▶ store      backend  31s     editing src/store.ts                heard 2s ago

Waiting
  · changelog  after middleware

Done
  ✓ bucket     c0ffee0  2 files

Failed
  ✗ docs       3 replies in a row were rejected; the last one: no JSON
      cox why docs
`);
});

test("at 40 columns the status of a run says the same, cut and wrapped", () => {
  expect(shown(busy, 40)).toBe(`Rate-limit the public API · r7k2
running · 1m31s · $1.12 · 1 of 3 agents
███████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒░░░░░░░░░░░░░░░░
1 of 5 done · 1 working · 1 for you
1 failed · 1 waiting

Needs you
  ? q1  middleware · asked by backend ·…
      What is the default limit per key?
      1  600/min
      2  60/min
      cox answer q1 "…"

Working
  ▶ store      31s     editing src/stor…

Waiting
  · changelog  after middleware

Done
  ✓ bucket     c0ffee0  2 files

Failed
  ✗ docs       3 replies in a row were …
      cox why docs
`);
});

const wide = story("限流器をつくる", "🚀-launch after 限流器をつくる", "plain")
  .works("限流器をつくる")
  .asks("plain", "何ですか？ ".repeat(90));

test.each([40, 80, 200])("no line of the status is wider than %i columns, in any script", (columns) => {
  for (const told of [busy, wide]) {
    for (const line of shown(told, columns).split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  }
});

test("on an ASCII terminal the status has only ASCII, in lines of the same width", () => {
  expect(shown(wide, 60, { ascii: true })).toMatch(/^[\n -~]+$/);
});

test("the status folds ten thousand tasks to one screen, and counts them", () => {
  const many = story(
    ...Array.from({ length: 10_000 }, (_, at) => (at < 5000 ? `t${at}` : `t${at} after t0`)),
  );
  const text = shown(many, 80, { rows: 40 });
  expect(text.split("\n").length).toBeLessThanOrEqual(40);
  expect(text).toContain("… 9,994 more waiting");
  expect(text).toContain("0 of 10,000 done");
});

test("a run whose process is gone is not shown as running", () => {
  expect(shown(busy, 80, { liveness: noLiveness(false) })).toMatch(
    /^interrupted · .*\n {2}coordinator not running since 2026-01-16 10:01:00 UTC, 31s ago; /m,
  );
});

test("if the process is gone, the status shows no agent as working, and its turns as left running", () => {
  const text = shown(busy, 80, { liveness: noLiveness(false) });
  expect(text).toContain(" · 0 of 3 agents\n");
  expect(text).toContain("1 of 5 done · 1 under way · ");
  expect(text).toContain("\nLeft running\n");
});

test.each([true, false])(
  "a reply that waits for a confirmation is not shown as running (alive: %s)",
  (isAlive) => {
    const told = story("a").wantsAllowed("a", [{ code: "D", message: "deletes src/old.ts" }]);
    const seen = { state: told.state, now: told.now, liveness: noLiveness(isAlive) };
    expect(statusDocument(seen)).toMatchObject({
      status: "waiting",
      headline: { words: "waiting for you", command: "cox questions" },
    });
  },
);

test.each<[string, Story, RegExp]>([
  [
    "paused",
    story("a").tell("run_paused", { reason: "person", detail: "", by }),
    /^paused · .*\n {2}cox resume$/m,
  ],
  [
    "paused by its budget",
    storyWith({ budget: { usdMicros: 15_000_000 } }, "a").tell("run_paused", {
      reason: "budget",
      detail: "$14.86 of $15.00",
    }),
    /^paused by its budget · 0s · \$0 of \$15 .*\n {2}\$14.86 of \$15.00\n {2}cox resume --budget AMOUNT$/m,
  ],
  ["stopped", story("a").tell("run_stopped", { by }), /^stopped · .*\n {2}cox resume$/m],
  [
    "done",
    story("a")
      .commits("a")
      .tell("run_finished", { outcome: "done", tip: someCommit("c") }),
    /^done · .*\n {2}cox land$/m,
  ],
  ["waiting for you", story("a").asks("a", "Which?"), /^waiting for you · .*\n {2}cox questions$/m],
  [
    "failed as a whole",
    story("a")
      .commits("a")
      .tell("verification_failed", {
        work: { of: "run" },
        tree: someTree("t"),
        evidence: { sha256: "", commands: [] },
        why: "npm test ended with 1",
      })
      .tell("run_finished", { outcome: "failed", tip: someCommit("c") }),
    /^failed · .*\n {2}each task is done, but the run as a whole fails: npm test ended with 1$/m,
  ],
])("the status of a run that is %s says so, and what to type", (_name, told, pattern) => {
  expect(shown(told, 80)).toMatch(pattern);
});

test("four questions are counted as four for you in every place, even if three of their tasks failed", () => {
  const told = story("a", "b", "c", "d", "e").asks("a", "Which?");
  for (const task of ["b", "c", "d", "e"]) told.works(task).replies(task).fails(task, "no JSON");
  told.tell("divine_response_received", { question: "q5" as QuestionId, answer: "give up", by });
  const seen = { state: told.state, now: told.now, liveness: noLiveness(true) };
  const counts = { needs_you: 4, failed: 1 };
  expect(statusDocument(seen)).toMatchObject({ counts });
  expect(statusDocument(seen).questions).toHaveLength(4);
  expect(statusDocument(seen).tasks.map(({ group }) => group)).toEqual([
    ...Array(4).fill("needs_you"),
    "failed",
  ]);
  expect(shown(told, 80)).toContain("0 of 5 done · 4 for you · 1 failed\n");
  const screen = { columns: 80, rows: 24, ascii: false, paint: noPaint };
  expect(liveFrame(seen, screen).join("\n")).toContain("0 of 5 done · 4 for you · 1 failed\n");
  expect(summaryText(seen, screen)).toContain("  ? 4 questions for you\n");
  expect(summaryText(seen, screen).match(/^ {2}✗ .*$/gm)).toEqual(["  ✗ e: no JSON"]);
  expect(runListDocument([{ run: "r7k2", began: 0, seen }])[0]).toMatchObject({ needs_you: 4 });
});

/** The coordinator gave a sign of life at 1m31s and was then killed. */
function killed(laterMs: number) {
  const lastBeat = { at: busy.now.at, time: busy.now.time };
  const { turns, checks } = alive;
  return {
    state: busy.state,
    now: { at: busy.now.at + laterMs, time: busy.now.time },
    liveness: { isAlive: false, turns, checks, lastBeat },
  };
}

test("after a kill the status still counts ages but not run time: when the coordinator and agents were last heard", () => {
  const screen = { columns: 100, rows: 40, ascii: false, paint: noPaint };
  const text = (laterMs: number) => statusText(killed(laterMs), screen);
  expect(text(0)).toContain("coordinator not running since 2026-01-16 10:01:31 UTC, 0s ago");
  expect(text(180_000)).toContain("coordinator not running since 2026-01-16 10:01:31 UTC, 3m00s ago");
  expect(text(180_000)).toMatch(/^interrupted · 1m31s · /m);
  expect(text(180_000)).toMatch(/^ {2}▶ store .* 31s .* last heard 3m02s ago$/m);
  expect(text(180_000)).toContain("asked by backend · 3m31s ago");
  expect(statusDocument(killed(180_000))).toMatchObject({
    alive: false,
    last_alive_at: "2026-01-16T10:01:31.000Z",
    absent_ms: 180_000,
    elapsed_ms: 91_000,
    agents: [{ silent_ms: 182_000, running_ms: 31_000, alarm: "gone" }],
  });
});

test("a run whose questions were answered after the coordinator left is ready to resume, not interrupted", () => {
  const told = story("a", "b").asks("a", "Which?").works("b").replies("b").fails("b", "no JSON");
  told.tell("session_ended", { why: "waiting" });
  const headline = () =>
    statusDocument({ state: told.state, now: told.now, liveness: noLiveness(false) }).headline;
  expect(headline()).toMatchObject({ words: "waiting for you", command: "cox questions" });
  told.tell("divine_response_received", { question: "q1" as QuestionId, answer: "This one", by });
  told.tell("agent_resumes_with_guidance", { question: "q1" as QuestionId, task: "a" as TaskId });
  expect(headline()).toMatchObject({ words: "ready to resume", command: "cox resume" });
});

test("in the status, a run whose plan has no title is named after the plan's file", () => {
  const told = story("a");
  const nameless = (plan_file: string) => {
    const run = { ...(told.state.run as NonNullable<typeof told.state.run>), title: "", plan_file };
    return { state: { ...told.state, run }, now: told.now, liveness: alive };
  };
  const screen = { columns: 80, rows: 24, ascii: false, paint: noPaint };
  expect(statusText(nameless("plans/rate-limit.md"), screen)).toMatch(/^rate-limit · r7k2\n/);
  expect(statusDocument(nameless("plans/rate-limit.md")).title).toBe("rate-limit");
  expect(liveFrame(nameless("limits.plan.md"), screen)[1]).toContain(" limits.plan · r7k2 ");
  expect(statusDocument(nameless("-")).title).toBe("plan from standard input");
});

test("the elapsed time of a paused run does not grow", () => {
  const paused = story("a")
    .after(5000)
    .tell("run_paused", { reason: "person", detail: "", by })
    .after(60_000);
  expect(statusDocument({ state: paused.state, now: paused.now, liveness: alive }).elapsed_ms).toBe(5000);
});

test("the status as JSON has every task with its group, words and commit, and null where a thing does not apply", () => {
  const document = statusDocument({ state: busy.state, now: busy.now, liveness: alive });
  expect(document).toMatchObject({
    run: "r7k2",
    status: "running",
    alive: true,
    headline: { words: "running", detail: null, command: null },
    counts: { needs_you: 1, working: 1, waiting: 1, done: 1, failed: 1 },
    spent: { turns: 3, usd_micros: 1_120_000 },
    limit: { turns: null, tokens: null, usd_micros: null, time_ms: null },
    agents: [
      {
        task: "store",
        action: "editing src/store.ts",
        silent_ms: 2000,
        alarm: "none",
        attempt: 1,
        attempts_max: 3,
      },
    ],
  });
  expect(
    document.tasks.map(({ task, group, status, waits_for, commit }) => [
      task,
      group,
      status,
      waits_for,
      commit,
    ]),
  ).toEqual([
    ["bucket", "done", "verified", [], "c0ffee0bucket"],
    ["store", "working", "working", [], null],
    ["docs", "failed", "failed", [], null],
    ["middleware", "needs_you", "blocked", [], null],
    ["changelog", "waiting", "pending", ["middleware"], null],
  ]);
});

test.each([40, 80])(
  "the status says at %i columns that agents work without a sandbox, with what was found",
  (columns) => {
    const told = story("a").tell("confinement_found", { holds: false }).works("a");
    expect(shown(told, columns)).toMatch(/! agents work without a sandbox/);
    const items = [{ code: "WS_OUTSIDE_CHANGED", path: "notes.md", message: "notes.md changed" }];
    told.tell("outside_changed", { turn: told.turnOf("a"), task: "a" as TaskId, items });
    expect(shown(told, columns).replace(/\s+/g, " ")).toContain("1 change so far: cox log");
    for (const line of shown(told, columns).split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    const document = statusDocument({ state: told.state, now: told.now, liveness: alive });
    expect(document).toMatchObject({ confined: false, outside: [{ task: "a", path: "notes.md" }] });
  },
);

test.each([40, 80])(
  "the status says at %i columns what a sandbox without layers does not protect",
  (columns) => {
    const told = story("a").tell("confinement_found", { holds: true, without_layers: true }).works("a");
    expect(shown(told, columns).replace(/\s+/g, " ")).toContain(
      "! agents are confined to their desks, but can",
    );
    for (const line of shown(told, columns).split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    const documentNow = () => statusDocument({ state: told.state, now: told.now, liveness: alive });
    expect(documentNow()).toMatchObject({ confined: true, without_layers: true });
    told.tell("confinement_found", { holds: true });
    expect(shown(told, columns)).not.toContain("confined to their desks");
    expect(documentNow()).toMatchObject({ confined: true, without_layers: false });
  },
);
