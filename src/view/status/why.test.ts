import { expect, test } from "vitest";
import { someCommit, someTree } from "../../../test/kernel/some-object-ids.ts";
import { by, type Given, type Story, story, storyWith } from "../../../test/view/story.ts";
import type { TurnId } from "../../kernel/event.ts";
import type { TaskId } from "../../plan/plan.ts";
import { noPaint } from "../text/paint.ts";
import { widthOf } from "../text/width.ts";
import { type Liveness, noLiveness } from "./liveness.ts";
import { why } from "./why.ts";
import { whyText } from "./why-text.ts";

const alive = noLiveness(true);

function asked(told: Story, task: string, liveness: Liveness = alive) {
  return why(told.task(task), { state: told.state, now: told.now, liveness });
}

/** The answer, the facts behind it, and the commands, one per line. */
function told(of: Story, task: string, liveness: Liveness = alive): string[] {
  const { answer, facts, next } = asked(of, task, liveness);
  return [answer, ...facts, ...next.map(({ command }) => `$ ${command}`)];
}

const a = "a" as TaskId;
const b = "b" as TaskId;
const writing = (task: string, ...writes: string[]): Given => ({ task: task as TaskId, writes });
const sharing = (task: string, ...shares: string[]): Given => ({ task: task as TaskId, shares });
const finding = { code: "X", path: "src/a.ts", message: "no test for the empty key" };

test.each<[string, Story, string, string[]]>([
  [
    "one that works",
    story("a", "b after a").works("a"),
    "b",
    ["it waits for a, not done yet", "a: an agent works on it", "$ cox why a"],
  ],
  [
    "several",
    story("a", "c", "b after a, c").works("a"),
    "b",
    ["it waits for a, c, not done yet", "a: an agent works on it", "c: ready, next", "$ cox why c"],
  ],
  [
    "one that waits for a question",
    story("a", "b after a", "c after b", "d after c").asks("a", "Which?"),
    "d",
    [
      "it waits for c, not done yet",
      "c: after b",
      "in the end: d ← c ← b ← a: waits for your answer to q1",
      '$ cox answer q1 "…"',
    ],
  ],
  [
    "one that failed, though another still works",
    story("x", "a", "b after x, a", "c after b").works("x").works("a").replies("a").fails("a", "no JSON"),
    "c",
    [
      "it waits for b, not done yet",
      "b: after x, a",
      "in the end: c ← b ← a: no JSON",
      "in the end: c ← b ← x: an agent works on it",
      '$ cox answer q1 "…"',
      '$ cox answer q1 "give up"',
      "$ cox retry a",
      "$ cox retry a --afresh",
    ],
  ],
  [
    "one that is being taken back",
    story("a", "b after a")
      .commits("a")
      .tell("rollback_requested", { tasks: [a], by }),
    "b",
    ["it waits for a, not done yet", "a: c0ffee0 is being reverted", "$ cox why a"],
  ],
])("cox why follows a task that waits for %s to the root cause", (_name, of, task, lines) => {
  expect(told(of, task)).toEqual(lines);
});

const ready = "everything it depends on is done";

test.each<[string, Story, string, string[]]>([
  ["it is next", story("a"), "a", [`${ready}; a slot is free, so it is next`]],
  [
    "no slot is free",
    storyWith({ active_developers: 1 }, "a", "b").works("a"),
    "b",
    [`${ready}; no slot is free: 1 agent at work of 1 (active_developers)`],
  ],
  [
    "finished work comes first",
    storyWith({ active_developers: 1 }, "a", "b", "c").delivers("a").passes("a").delivers("b").passes("b"),
    "c",
    [
      `${ready}; 2 finished tasks must be verified and integrated first: no new task starts while more than 1 (active_developers) wait`,
    ],
  ],
  [
    "files are claimed",
    story(writing("a", "src/**"), writing("b", "src/api/users.ts")).works("a"),
    "b",
    [`${ready}; a has the same files until it is done (src/api/users.ts)`, "$ cox why a"],
  ],
  [
    "a resource is in use",
    story(sharing("a", "database"), sharing("b", "database")).works("a"),
    "b",
    [`${ready}; a has database until it is done, which they share`, "$ cox why a"],
  ],
  [
    "what is left of the budget is set aside",
    storyWith({ budget: { tokens: 100 } }, "x", "a", "b")
      .works("x")
      .replies("x", { ms: 1, tokens: 60 })
      .works("a"),
    "b",
    [`${ready}; what is left of the budget is set aside for the turns under way (120 of 100 tokens)`],
  ],
  [
    "its level is not reached",
    storyWith({ schedule: "levels" }, "a", "c", "b after a").commits("a"),
    "b",
    [`${ready}; it is of level 2, and 1 task of level 1 must be done first (schedule: levels)`],
  ],
  [
    "a question holds everybody",
    storyWith({ on_question: "hold-all" }, "a", "b").asks("a", "Which?"),
    "b",
    [`${ready}; the plan says on_question: hold-all, and q1 is not answered`, '$ cox answer q1 "…"'],
  ],
  [
    "the run is paused",
    story("a").tell("run_paused", { reason: "person", detail: "", by }),
    "a",
    [`${ready}, but the run is not running`, "the run is paused", "$ cox resume"],
  ],
  [
    "the budget is spent",
    story("a").tell("run_paused", { reason: "budget", detail: "$15.00 of $15.00" }),
    "a",
    [
      `${ready}, but the run is not running`,
      "the run is paused by its budget: $15.00 of $15.00",
      "$ cox resume --budget AMOUNT",
    ],
  ],
  [
    "the run is stopped",
    story("a").tell("run_stopped", { by }),
    "a",
    [`${ready}, but the run is not running`, "the run is stopped", "$ cox resume"],
  ],
  [
    "a turn on an older state is being ended",
    story("a", "b after a")
      .commits("a")
      .works("b")
      .tell("rollback_requested", { tasks: [a], by })
      .tell("task_aborted", { task: b, reason: "a is taken back" })
      .tell("rollback_failed", { task: a, reason: "later changes" }),
    "b",
    [`${ready}; an agent that works on an older state of it is being stopped first`],
  ],
])("cox why says that a ready task has not begun because %s", (_name, of, task, lines) => {
  expect(told(of, task)).toEqual(lines);
});

test("if no process works on the run, why says that first", () => {
  expect(told(story("a").works("a"), "a", noLiveness(false)).slice(1)).toEqual([
    "the run is interrupted: coordinator not running since 2026-01-16 10:00:00 UTC, 0s ago; everything recorded is kept",
    "last: working",
    "it is ended after 15m00s, or after 5m00s of silence",
    "$ cox resume",
  ]);
});

test("for a running task, why shows the agent, how long, its last action, and its limits", () => {
  const of = story("a").works("a").after(48_000);
  const turns = new Map([[of.turnOf("a"), { heard: of.now.time - 5000, action: "reading README.md" }]]);
  expect(told(of, "a", { ...alive, turns })).toEqual([
    "backend works on it for 48s (attempt 1)",
    "last: reading README.md, heard 5s ago",
    "it is ended after 15m00s, or after 5m00s of silence",
  ]);
});

const failedOnce = () =>
  story({ task: a, auditor: "tester" })
    .delivers("a")
    .tell("auditor_fail", { task: a, attempt: 1, by: "tester", findings: [finding] });

test.each<[string, Story, string[]]>([
  [
    "another attempt is due after a failed audit",
    failedOnce(),
    [
      "attempt 2 is due; a slot is free, so it is next",
      "found in the last attempt: src/a.ts: no test for the empty key",
    ],
  ],
  [
    "another turn is due after a crash",
    story("a")
      .works("a")
      .tell("agent_crashed", {
        turn: "a.1.1" as TurnId,
        code: "AGENT_EXIT",
        message: "exit 1",
        last_line: "",
        spent: { ms: 1 },
      }),
    ["another turn of attempt 1 is due; a slot is free, so it is next"],
  ],
  ["its reply is being read", story("a").works("a").replies("a"), ["its reply is being read"]],
  ["it is being verified", story("a").delivers("a"), ["being verified"]],
  [
    "it waits for its auditor",
    story({ task: a, auditor: "tester", verify: [] }).delivers("a"),
    ["its work is verified and is to be audited; a slot is free, so it is next"],
  ],
  [
    "it is being merged",
    story("a").delivers("a").passes("a"),
    ["being merged with what was integrated meanwhile"],
  ],
  [
    "another is on the branch",
    story("b", "a").delivers("b").passes("b").delivers("a").passes("a"),
    ["waits for the branch, 1 before it"],
  ],
  [
    "it is being committed",
    story("a")
      .delivers("a")
      .passes("a")
      .tell("integration_merged", {
        task: a,
        attempt: 1,
        onto: someCommit("base0000"),
        tree: someTree("tree-a"),
      }),
    ["being committed"],
  ],
])("cox why says for a running task that %s", (_name, of, lines) => {
  expect(told(of, "a")).toEqual(lines);
});

test("cox why names the running verify command", () => {
  const of = story("a").delivers("a").after(9000);
  const checks = new Map([[a, { command: "npm test", since: 2000 }]]);
  expect(told(of, "a", { ...alive, checks })).toEqual(["verifying: npm test (7s)"]);
});

test("cox why shows for a held task what is asked and what to type", () => {
  expect(told(story("a").asks("a", "Which limit?", ["600", "60"]).after(72_000), "a")).toEqual([
    "it waits for you: q1 was asked by backend 1m12s ago, something only you can answer",
    "Which limit?",
    "option: 600",
    "option: 60",
    '$ cox answer q1 "…"',
  ]);
  expect(
    told(story("a").wantsAllowed("a", [{ code: "D", message: "deletes src/old.ts" }]), "a").slice(2),
  ).toEqual(["wanted: deletes src/old.ts", "$ cox diff a", "$ cox confirm q1", "$ cox deny q1"]);
});

test("cox why shows for a failed task the reason, the last findings, what depends on it, and how to try again", () => {
  const of = story({ task: a, auditor: "tester" }, "b after a")
    .delivers("a")
    .tell("auditor_fail", { task: a, attempt: 1, by: "tester", findings: [finding] })
    .fails("a", "3 attempts were not good enough");
  expect(told(of, "a")).toEqual([
    "it failed: 3 attempts were not good enough",
    "found in the last attempt: src/a.ts: no test for the empty key",
    "1 task waits for it",
    '$ cox answer q1 "…"',
    '$ cox answer q1 "give up"',
    "$ cox retry a",
    "$ cox retry a --afresh",
  ]);
});

test("for a done task, why shows its commit and evidence, and how to look at it and roll it back", () => {
  expect(told(story("a").commits("a", ["src/a.ts", "src/b.ts"]), "a")).toEqual([
    "it is done: committed as c0ffee0",
    "npm test: exit 0 after 0s",
    "2 files: src/a.ts, src/b.ts",
    "$ cox diff a",
    "$ cox rollback a",
  ]);
  expect(told(story({ task: a, verify: [] }).commits("a"), "a")[1]).toMatch(
    /^not verified: the plan has no verify command/,
  );
  expect(told(story({ task: a, done: true }), "a")).toEqual(["it was done before the run began"]);
});

test("cox why shows the notes of accepted work with how they were settled, and all lines of a question", () => {
  const notes = [
    { description: "named as customers is", status: "resolved", resolution: "as in that table" },
    { description: "emails are compared\u001b loosely", status: "open" },
  ] as const;
  const of = story({ task: a, auditor: "tester" }).delivers("a", ["src/a.ts"], notes);
  expect(told(of, "a")).toEqual(
    expect.arrayContaining([
      "note, settled by its agent: named as customers is – as in that table",
      "note, settled by an answer: emails are compared\\u001b loosely",
    ]),
  );
  const asked = told(story("a").asks("a", "It leaves a note open: x\nContext: y"), "a");
  expect(asked.slice(1, 3)).toEqual(["It leaves a note open: x", "Context: y"]);
});

test("cox why follows a chain of fifty thousand tasks to its root", () => {
  const chain = Array.from({ length: 50_000 }, (_, at) => (at === 0 ? "t0" : `t${at} after t${at - 1}`));
  expect(told(story(...chain), "t49999").slice(1)).toEqual([
    "t49998: after t49997",
    "in the end: t49999 ← t49998 ← 49995 more ← t2 ← t1 ← t0: ready, next",
    "$ cox why t0",
  ]);
});

test("in cox why, an agent's words can neither act on the terminal nor make a line too wide", () => {
  const hostile = `\u001b]52;c;eA==\u0007\u009b2J\n\t${"限".repeat(900)}`;
  const of = story("a").works("a").replies("a").fails("a", hostile);
  const text = whyText(asked(of, "a"), { columns: 60, paint: noPaint, ascii: false });
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  for (const line of text.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(60);
});

test("the text of cox why, as a person reads it", () => {
  const text = whyText(asked(story("a", "b after a").asks("a", "Which?"), "b"), {
    columns: 60,
    paint: noPaint,
    ascii: false,
  });
  expect(text).toBe(`b  Make b  pending
  it waits for a, not done yet
  · a: waits for your answer to q1
  cox answer q1 "…"  answer
`);
});

test("cox why shows the end of a failing verify command's output as lines, and nothing in it acts on the terminal", () => {
  const printed = Array.from({ length: 30 }, (_, at) => `\u001b[31mline\t${at + 1}`);
  const message = ["the verify commands failed: npm test: exit code 1", ...printed].join("\n");
  const findings = [{ code: "VERIFY_FAILED", message }];
  const of = story("a")
    .works("a")
    .replies("a")
    .tell("auditor_fail", { task: a, attempt: 1, by: "verify commands", findings });
  const { facts, output, next } = asked(of, "a");
  expect(facts).toEqual([
    "found in the last attempt: the verify commands failed: npm test: exit code 1 … (30 more lines)",
  ]);
  expect(output).toHaveLength(12);
  expect(output.at(-1)).toBe("\\u001b[31mline\t30");
  expect(next).toContainEqual({
    command: "cox why a --output",
    does: "everything its verify commands printed",
  });
  const shown = whyText(asked(of, "a"), { columns: 60, paint: noPaint, ascii: false });
  expect(shown).toContain("\n    │ \\u001b[31mline  30\n");
  of.tell("task_failed", { task: a, reason: `1 attempt was not good enough; the last: ${message}` });
  expect(told(of, "a").slice(0, 2)).toEqual([
    "it failed: 1 attempt was not good enough; the last: the verify commands failed: npm test: exit code 1 … (30 more lines)",
    "$ cox retry a",
  ]);
});

test("cox why says first that a run waits for a person, and not that it was interrupted", () => {
  const told = story("a", "b after a").wantsAllowed("a", [{ code: "D", message: "deletes src/old.ts" }]);
  const liveness = noLiveness(false);
  const [held, behind] = ["a", "b"].map((id) =>
    why(told.task(id), { state: told.state, now: told.now, liveness }),
  );
  expect(behind?.facts[0]).toBe("the run waits for you: q1 is not answered");
  expect(behind?.next[0]?.command).toBe("cox questions");
  expect(held?.next.map(({ command }) => command)).toEqual(["cox diff a", "cox confirm q1", "cox deny q1"]);
});
