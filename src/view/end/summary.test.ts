import { expect, test } from "vitest";
import { someCommit } from "../../../test/kernel/some-object-ids.ts";
import { by, type Story, story, storyWith } from "../../../test/view/story.ts";
import { noLiveness } from "../status/liveness.ts";
import { noPaint } from "../text/paint.ts";
import { widthOf } from "../text/width.ts";
import { summaryText } from "./summary.ts";

function shown(told: Story, columns = 80, isAlive = true): string {
  const seen = { state: told.state, now: told.now, liveness: noLiveness(isAlive) };
  return summaryText(seen, { columns, paint: noPaint, ascii: false });
}

test("the summary of a done run lists its commits in order, and says how to look, land and undo", () => {
  const told = storyWith({ budget: { usdMicros: 400_000 } }, "tests after flag", "flag")
    .commits("flag")
    .after(171_000)
    .works("tests")
    .replies("tests", { ms: 1, usd_micros: 310_000 })
    .tell("task_incomplete", { task: "tests" as never, attempt: 1, reason: "no" })
    .commits("tests")
    .tell("run_finished", { outcome: "done", tip: someCommit("c") });
  expect(shown(told)).toBe(`✓ done · 2 of 2 tasks · 2 commits on cox/r7k2 · 2m51s · $0.31 of $0.40
  c0ffee0 flag: Make flag
  c0ffee0 tests: Make tests
  Review  cox diff             Land    cox land
  Undo    cox rollback tests   Story   cox log
`);
});

test("the summary does not offer to land a run that has landed", () => {
  const told = story("a")
    .commits("a")
    .tell("run_finished", { outcome: "done", tip: someCommit("c") });
  const landed = told.tell("run_landed", { branch: "main", from: someCommit("b"), to: told.state.tip });
  expect(shown(landed)).toMatch(/^✓ done, landed on main · 1 of 1 task /);
  expect(shown(landed)).not.toContain("cox land");
});

test("the summary of a failed run says what failed and why, and how to try again", () => {
  const told = story("a", "b", "c after b")
    .commits("a")
    .works("b")
    .replies("b")
    .fails("b", "3 replies in a row could not be used")
    .tell("divine_response_received", { question: "q1" as never, answer: "give up", by })
    .tell("run_finished", { outcome: "failed", tip: someCommit("c") });
  expect(shown(told)).toBe(`✗ ended with 1 failed task · 1 of 3 tasks · 1 commit on cox/r7k2 · 0s
  c0ffee0 a: Make a
  ✗ b: 3 replies in a row could not be used
  Why     cox why b        Again   cox retry b
  Review  cox diff         Land    cox land
  Undo    cox rollback a   Story   cox log
`);
});

test("the summary of a run that waits for a person says so first", () => {
  expect(shown(story("a", "b after a").asks("a", "Which?"))).toBe(`? waiting for you · 0 of 2 tasks · 0s
  ? 1 question for you
    q1 a: Which?
  Answer  cox questions   Story   cox log
`);
});

test.each<[string, Story, RegExp]>([
  [
    "paused",
    story("a").tell("run_paused", { reason: "person", detail: "", by }),
    /^! paused · [\s\S]*Go on {3}cox resume /,
  ],
  [
    "paused by its budget",
    story("a").tell("run_paused", { reason: "budget", detail: "$14.86 of $15.00" }),
    /^! paused by its budget [\s\S]*\n {2}\$14.86 of \$15.00\n {2}Go on {3}cox resume --budget AMOUNT /,
  ],
  ["stopped", story("a").tell("run_stopped", { by }), /^! stopped · [\s\S]*cox resume/],
])("the summary of a run that is %s says how to continue", (_name, told, pattern) => {
  expect(shown(told)).toMatch(pattern);
});

test("the summary folds a hundred commits, and no line but a command is wider than the terminal", () => {
  const told = story(...Array.from({ length: 100 }, (_, at) => `タスク${at}`));
  for (let at = 0; at < 100; at++) told.commits(`タスク${at}`);
  for (const columns of [40, 80, 200]) {
    const lines = shown(told, columns).split("\n");
    expect(lines).toContain("  … 80 more commits");
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  }
});

test("the summary names files changed outside the desks without a sandbox once, whatever else it says", () => {
  const item = { code: "WS_OUTSIDE_CHANGED", path: "notes.md", message: "notes.md changed while dev worked" };
  const told = story("a").tell("confinement_found", { holds: false }).works("a");
  const turn = told.turnOf("a");
  for (const items of [[item], [item]]) told.tell("outside_changed", { turn, task: "a" as never, items });
  expect(shown(told)).toContain("\n  ! notes.md changed while dev worked\n");
  expect(shown(told).match(/notes\.md/g)).toHaveLength(1);
});
