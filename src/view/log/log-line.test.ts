import { expect, test } from "vitest";
import { someCommit, someTree } from "../../../test/kernel/some-object-ids.ts";
import { usualSettings } from "../../../test/kernel/usual-settings.ts";
import { by, story } from "../../../test/view/story.ts";
import type { EventName, Events, QuestionId, TurnId } from "../../kernel/event.ts";
import type { Occurred } from "../../kernel/evolve.ts";
import type { TaskId } from "../../plan/plan.ts";
import { dangerous } from "../../std/unicode.ts";
import { isoTime } from "../run-times.ts";
import { noPaint } from "../text/paint.ts";
import { LogReader, logLineText } from "./log-line.ts";

const a = "a" as TaskId;
const turn = "a.1.1" as TurnId;
const question = "q1" as QuestionId;
const sha = "3f2a91c77b0d4f";
const [commit, tree] = [someCommit(sha), someTree(sha)];
const told = [
  { code: "X", path: "package.json", message: "may not be written" },
  { code: "Y", message: "z" },
];
const evidence = { sha256: sha, commands: [{ command: "npm test", exit: 0, ms: 10 }] };
const spent = { ms: 102_000, tokens: 1200, usd_micros: 380_000 };
const work = { of: "task", task: a, attempt: 1 } as const;

/** One of each event; a new event fails to compile until it has an entry here. */
const one: { readonly [Name in EventName]: Events[Name] } = {
  run_started: {
    run: "r7k2",
    title: "Limits",
    plan_file: "p.md",
    plan_sha256: sha,
    config_sha256: sha,
    base: commit,
    base_tree: tree,
    branch: "cox/r7k2",
    by,
    settings: usualSettings,
    tasks: [],
  },
  session_started: { pid: 7, version: "1", resumes: 1 },
  delete_requested: {
    task: a,
    turn,
    policy: "declared",
    files: [{ path: "src/old.ts", bytes: 1200, sha256: "f".repeat(64), answer: "asked", preview: ["x"] }],
    total: 3,
  },
  session_ended: { why: "waiting" },
  state_reconstructed: { events_replayed: 1204 },
  state_recovery_needed: { reason: "a torn line was cut" },
  run_paused: { reason: "budget", detail: "$15.00 of $15.00" },
  run_resumed: { by, budget: { turns: 3 } },
  run_stopped: { by },
  run_finished: { outcome: "done", tip: commit },
  confinement_found: { holds: false },
  agent_dispatched: {
    turn,
    agent: "backend",
    role: "developer",
    task: a,
    attempt: 1,
    fence_tag: "f",
    timeout_ms: 1,
    stall_ms: 1,
  },
  agent_started: { turn, pid: 12, started: "x" },
  agent_rested: { agent: "backend", code: "AGENT_RATE_LIMIT", for_ms: 90_000 },
  agent_ruled_out: { agent: "backend", code: "AGENT_NOT_SIGNED_IN", message: "it has no key" },
  agent_returned: { agent: "backend" },
  agent_checkpoint: { turn, text: "tests written" },
  agent_complete: { turn, reply_sha256: sha, spent },
  agent_timeout: { turn, limit: "stall", after_ms: 300_000, last_line: "Compiling…", spent },
  agent_crashed: { turn, code: "AGENT_EXIT", message: "exit 1", last_line: "", spent },
  agent_cancelled: { turn, reason: "the run was stopped", spent },
  outside_changed: {
    turn,
    task: a,
    items: [
      { code: "WS_OUTSIDE_CHANGED", path: "notes.md", message: "notes.md changed" },
      { code: "WS_FOREIGN_WRITE", path: ".git/config", message: ".git/config was written" },
    ],
  },
  agent_overstepped: { turn, code: "GIT_CONFIG", message: "set core.fsmonitor" },
  developer_dispatched: { task: a, agent: "backend", attempt: 1, base: commit },
  developer_checkpoint: { task: a, text: "tests written" },
  reply_refused: { task: a, turn, problems: told },
  task_incomplete: { task: a, attempt: 1, reason: "no database" },
  developer_ready_for_audit: {
    task: a,
    attempt: 1,
    tree,
    files: ["x"],
    summary: "did it",
    outputs: [],
  },
  verification_passed: { work, tree, evidence },
  verification_failed: { work: { of: "run" }, tree, evidence, why: "npm test ended with 1" },
  audit_passed: { task: a, attempt: 1, by: "tester", tree, summary: "good" },
  auditor_fail: { task: a, attempt: 2, by: "tester", findings: told },
  auditor_blocked: { task: a, attempt: 1, by: "tester", reason: "failed before" },
  integration_merged: { task: a, attempt: 1, onto: commit, tree },
  integration_conflicted: {
    task: a,
    attempt: 1,
    onto: commit,
    tree,
    paths: ["src/a.ts"],
  },
  integration_prepared: {
    task: a,
    attempt: 1,
    parent: commit,
    tree,
    commit,
  },
  task_commit_recorded: {
    task: a,
    commit_sha: commit,
    parent: commit,
    files_modified: ["x", "y"],
    branch: "cox/r",
  },
  task_complete: { task: a, agent: "backend", evidence_summary: "npm test → 0" },
  task_failed: { task: a, reason: "3 replies" },
  task_retried: { task: a, by, afresh: true },
  task_aborted: { task: a, reason: "b is reverted" },
  agent_seeks_guidance: { question, task: a, agent: "backend", text: "Which?", options: [] },
  divine_response_received: { question, answer: "this", by },
  agent_resumes_with_guidance: { question, task: a },
  question_asked: { question, task: a, text: "What now?", options: [] },
  confirmation_requested: { question, task: a, turn, digest: sha, items: told },
  confirmation_given: { question, digest: sha, by },
  confirmation_denied: { question, reason: "no", by },
  question_withdrawn: { question, reason: "retried" },
  rollback_requested: { tasks: ["b" as TaskId, a], by },
  rollback_prepared: {
    task: a,
    reverts: commit,
    parent: commit,
    tree,
    commit,
  },
  task_rolled_back: { task: a, from_sha: commit, to_sha: commit },
  rollback_blocked: { task: a, reason: "dependent_tasks_completed", dependents: ["b" as TaskId] },
  rollback_failed: { task: a, reason: "later changes" },
  landing_prepared: { branch: "main", from: commit, to: commit, changeset: "c", by },
  run_landed: { branch: "main", from: commit, to: commit },
  landing_undone: { reason: "the tree changed" },
};

const look = { columns: 300, paint: noPaint, ascii: false, clock: (at: number) => isoTime(at).slice(11, 19) };

function occurred(event: EventName, data: unknown): Occurred {
  return { event, data, seq: 1, time: 0, at: 43_451_000 } as unknown as Occurred;
}

/** Reads an event after a dispatch and a question with the same names. */
function read(event: EventName, data: unknown = one[event]) {
  const reader = new LogReader();
  for (const name of ["agent_dispatched", "agent_seeks_guidance"] as const)
    reader.read(occurred(name, one[name]));
  return reader.read(occurred(event, data));
}

test("the log says that a turn used no tool, and nothing if it used some or if that is unknown", () => {
  const words = (uses: object) => read("agent_complete", { ...one.agent_complete, ...uses }).words;
  expect(words({ tool_uses: 0 })).toContain("it used no tool");
  for (const uses of [{}, { tool_uses: 2 }]) expect(words(uses)).not.toContain("tool");
});

test("a question of many lines is one line in the log", () => {
  const { words } = read("agent_seeks_guidance", { ...one.agent_seeks_guidance, text: "Which?\nContext: x" });
  expect(words).toContain('"Which? Context: x"');
});

test("every event is one line of the log, with the time, a sign, the task and words", () => {
  const lines = (Object.keys(one) as EventName[]).map((event) => {
    const line = read(event);
    return `${line.level} ${logLineText(line, look)}`;
  });
  expect(lines).toEqual([
    "1 12:04:11 ▶              run r7k2 began: Limits, 0 tasks on cox/r7k2",
    "2 12:04:11 ·              the coordinator resumed (process 7)",
    "2 12:04:11 ! a            delete requested: src/old.ts (1.2 KB), and 2 more files – a person is asked",
    "1 12:04:11 ?              waiting for you: answer with cox questions, then cox resume",
    "3 12:04:11 ·              the state was rebuilt from 1,204 events",
    "1 12:04:11 !              set aside after a crash: a torn line was cut",
    "1 12:04:11 !              paused by the budget: $15.00 of $15.00",
    "1 12:04:11 ▶              resumed with another budget (by ana, terminal)",
    "1 12:04:11 !              stopped (by ana, terminal)",
    "1 12:04:11 ✓              the run ended: done, at 3f2a91c",
    "1 12:04:11 !              agents work without a sandbox here: changes outside their desks are detected and reported, not prevented (cox doctor)",
    "2 12:04:11 ▶ a            started by backend (attempt 1)",
    "3 12:04:11 · a            backend is process 12",
    "2 12:04:11 !              backend rests for 1m30s: rate limit",
    "1 12:04:11 !              backend is out (not signed in): it has no key",
    "2 12:04:11 ·              backend may work again",
    "3 12:04:11 · a            backend: tests written",
    "3 12:04:11 · a            backend replied after 1m42s, 1,200 tokens, $0.38",
    '2 12:04:11 ! a            backend was silent for 5m00s and was ended; its last line was "Compiling…"',
    "2 12:04:11 ! a            backend ended without a reply: exit 1 (AGENT_EXIT)",
    "2 12:04:11 · a            backend was ended: the run was stopped",
    "1 12:04:11 ! a            .git/config was written (WS_FOREIGN_WRITE); also notes.md",
    "1 12:04:11 ! a            backend did something it is not allowed to do: set core.fsmonitor (GIT_CONFIG); it had no effect",
    "3 12:04:11 · a            at a desk on 3f2a91c",
    "3 12:04:11 · a            checkpoint: tests written",
    "2 12:04:11 ! a            reply rejected: package.json: may not be written (and 1 more)",
    "2 12:04:11 ! a            the agent gave up: no database",
    "3 12:04:11 · a            work received, 1 file: did it",
    "3 12:04:11 ✓ a            verified: npm test → 0",
    "1 12:04:11 ✗              not verified as a whole: npm test ended with 1",
    "2 12:04:11 ✓ a            passed, by tester: good",
    "2 12:04:11 ! a            not passed by tester (attempt 2): package.json: may not be written (and 1 more)",
    "2 12:04:11 ! a            tester cannot judge it: failed before",
    "3 12:04:11 · a            merged onto 3f2a91c",
    "2 12:04:11 ! a            conflicts with what was integrated meanwhile: src/a.ts",
    "3 12:04:11 · a            commit 3f2a91c is prepared",
    "1 12:04:11 ✓ a            committed 3f2a91c, 2 files",
    "3 12:04:11 ✓ a            done: npm test → 0",
    "1 12:04:11 ✗ a            failed: 3 replies",
    "2 12:04:11 ▶ a            tried again from the beginning (by ana, terminal)",
    "2 12:04:11 ↩ a            stopped, to be started again: b is reverted",
    '1 12:04:11 ? a            backend asks: "Which?"   cox answer q1',
    '2 12:04:11 · a            q1 answered: "this" (by ana, terminal)',
    "3 12:04:11 ▶ a            continues with the answer to q1",
    '1 12:04:11 ? a            "What now?"   cox answer q1',
    "1 12:04:11 ? a            asks for permission: package.json: may not be written (and 1 more)   cox confirm q1",
    "2 12:04:11 ✓ a            q1 allowed (by ana, terminal)",
    "2 12:04:11 ✗ a            q1 not allowed: no (by ana, terminal)",
    "2 12:04:11 · a            q1 no longer needs an answer:  retried",
    "2 12:04:11 ↩ a            to be reverted: b, a (by ana, terminal)",
    "3 12:04:11 · a            commit 3f2a91c, which reverts 3f2a91c, is prepared",
    "1 12:04:11 ↩ a            reverted, the branch is at 3f2a91c",
    "1 12:04:11 ✗ a            not reverted: b depends on it   cox rollback a --cascade",
    "1 12:04:11 ✗ a            could not be reverted: later changes",
    "3 12:04:11 ·              landing on main begins (by ana, terminal)",
    "1 12:04:11 ✓              landed on main: 3f2a91c → 3f2a91c",
    "1 12:04:11 !              the landing was undone: the tree changed",
  ]);
});

/** The same value with every string made hostile. */
function hostile(value: unknown): unknown {
  if (typeof value === "string") return `\u001b[2J\n\r\u009b\u202e${value.repeat(500)}`;
  if (Array.isArray(value)) return value.map(hostile);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, key === "of" ? each : hostile(each)]),
  );
}

test("in the log, text of an agent, a plan or a person never acts on the terminal, breaks a line or makes it endless", () => {
  for (const event of Object.keys(one) as EventName[]) {
    const data = hostile(one[event]) as { reason?: string };
    const text = logLineText(read(event, data), { ...look, columns: 1e6 });
    expect(text.match(dangerous), event).toBeNull();
    expect(text.length, event).toBeLessThan(4000);
  }
});

test("the log names the task of a turn and of a question", () => {
  const of = story("a", "b").works("a").works("b").replies("b");
  const reader = new LogReader();
  const lines = of.events.map((event) => reader.read(event));
  expect(lines.at(-1)).toMatchObject({ task: "b", words: "backend replied after 1s, $0" });
});

test("the log counts lost turns and failed attempts each against its own limit, and from zero after a retry", () => {
  const of = story({ task: a, attempts: 5 });
  const spent = { ms: 1000 };
  const crashes = () => {
    of.works("a");
    const turn = of.turnOf("a") as TurnId;
    of.tell("agent_crashed", { turn, code: "AGENT_EXIT", message: "exit 1", last_line: "", spent });
  };
  const fails = (attempt: number) =>
    of.works("a").replies("a").tell("auditor_fail", { task: a, attempt, by: "tester", findings: [] });
  crashes();
  crashes();
  fails(1);
  crashes();
  of.tell("task_failed", { task: a, reason: "no" }).tell("task_retried", { task: a, by, afresh: false });
  fails(3);
  const reader = new LogReader();
  const words = of.events
    .map((event) => reader.read(event))
    .flatMap(({ level, words }) => (level < 3 ? words : []));
  expect(words.slice(1)).toEqual([
    "started by backend (attempt 1)",
    "backend ended without a reply: exit 1 (AGENT_EXIT); lost turn 1 of 3",
    "started by backend (attempt 1, turn 2)",
    "backend ended without a reply: exit 1 (AGENT_EXIT); lost turn 2 of 3",
    "started by backend (attempt 1, turn 3)",
    "not passed by tester (attempt 1, failure 1 of 5): no reason was given",
    "started by backend (attempt 2)",
    "backend ended without a reply: exit 1 (AGENT_EXIT); lost turn 1 of 3",
    "failed: no",
    "tried again (by ana, terminal)",
    "started by backend (attempt 3)",
    "not passed by tester (attempt 3, failure 1 of 5): no reason was given",
  ]);
});

test("a log line is cut at the columns of the terminal", () => {
  expect(logLineText(read("task_commit_recorded"), { ...look, columns: 40 })).toBe(
    "12:04:11 ✓ a            committed 3f2a9…",
  );
});

test("the log shows an agent's last line only once", () => {
  const of = story("a").works("a");
  const message = 'agent dev ended with exit code 1; its last line was: "Error: no disk"';
  const data = { turn: of.turnOf("a") as TurnId, code: "AGENT_EXIT", message, last_line: "Error: no disk" };
  of.tell("agent_crashed", { ...data, spent: { ms: 1 } });
  const reader = new LogReader();
  expect(of.events.map((event) => reader.read(event).words).at(-1)).toBe(
    `backend ended without a reply: ${message} (AGENT_EXIT); lost turn 1 of 3`,
  );
});

test("the log calls the rest of an account that, with how many turns may run afterwards", () => {
  const of = story("a");
  const held = { agent: "backend", code: "AGENT_RATE_LIMIT", for_ms: 90_000, account: "codex", at_once: 2 };
  of.tell("agent_rested", held).tell("agent_returned", { agent: "backend", account: "codex" });
  const reader = new LogReader();
  expect(of.events.map((event) => reader.read(event).words).slice(-2)).toEqual([
    "backend rests for 1m30s, and all of account codex: rate limit; then at most 2 at once",
    "account codex may work again",
  ]);
});

test("a long slug keeps the words of a log in their column, cut in the middle", () => {
  const long = "add-the-rate-limiter-to-the-public-api-part-one";
  const told = story("docs", long).works("docs").works(long);
  const reader = new LogReader();
  const lines = told.events.map((occurred) => reader.read(occurred)).filter(({ task }) => task !== undefined);
  const look = { columns: 200, paint: noPaint, ascii: false, clock: () => "12:04:11" };
  const texts = lines.map((line) => logLineText(line, { ...look, taskWidth: reader.taskWidth }));
  const places = texts.map((text, at) => text.indexOf(lines[at]?.words ?? "?"));
  expect(new Set(places).size).toBe(1);
  expect(texts.at(-1)).toContain("add-the-rate-l…-api-part-one ");
});
