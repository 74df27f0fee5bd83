import { expect, test } from "vitest";
import { someTree } from "../../../test/kernel/some-object-ids.ts";
import { began, by, type Story, story, storyWith } from "../../../test/view/story.ts";
import type { TaskId } from "../../plan/plan.ts";
import { RunTimes } from "../run-times.ts";
import { stateFile } from "./state-file.ts";

/**
 * Every key of the first coordinator's state file: from its example, its rollback state, its agents, and its fields
 * described in prose.
 */
const keys = `saved_at save_reason tokens_remaining_percent compaction_count session_resume_count plan_file total_tasks
  completed_tasks in_progress_tasks pending_audit blocked_tasks failed_audits next_available_tasks infrastructure_blocked
  infrastructure_issue active_remediation remediation_attempt_count last_usage_check session_utilisation session_remaining
  session_resets_at pending_divine_questions supporting_agents active_supporting_agents pending_delegation_requests
  supporting_agent_stats task_commits failure_patterns active_agents active_developers active_auditors active_actor_count
  plan_complete validation_complete task_quality_assessed pending_expansions active_business_analysts expanded_tasks`;
const ours = "run branch tip last_seq spent";

function saved(told: Story) {
  const times = new RunTimes();
  for (const event of told.events) times.add(event);
  return stateFile({ state: told.state, now: told.now, times });
}

test("the state file has every key of the first format, and ours beside them", () => {
  expect(Object.keys(saved(story("a"))).sort()).toEqual(`${keys} ${ours}`.split(/\s+/).sort());
});

test("the state file lists each task under its phase, by its task_id", () => {
  const told = story("done", "busy", "judged", "asked", "wrong", "free", "late after busy, wrong")
    .commits("done", ["src/auth.ts"])
    .after(5000)
    .works("busy")
    .tell("developer_checkpoint", { task: "busy" as TaskId, text: "unit tests written" })
    .delivers("judged")
    .asks("asked", "Which?", ["this", "that"])
    .works("wrong")
    .replies("wrong")
    .fails("wrong", "no");
  const file = saved(told.after(1000));
  const id = (name: string) => `${name}_1768557600`;
  const entry = { developer_id: "backend", last_checkpoint: null };
  expect(file).toMatchObject({
    saved_at: "2026-01-16T10:00:06.000Z",
    save_reason: null,
    plan_file: "plans/limits.md",
    total_tasks: 7,
    completed_tasks: [id("done")],
    in_progress_tasks: [
      { ...entry, task_id: id("busy"), status: "implementing", last_checkpoint: "unit tests written" },
      { ...entry, task_id: id("judged"), status: "awaiting-audit" },
      { ...entry, task_id: id("asked"), status: "awaiting-divine-guidance" },
    ],
    pending_audit: [id("judged")],
    blocked_tasks: { [id("late")]: [id("busy"), id("wrong")] },
    next_available_tasks: [id("free")],
    pending_divine_questions: [
      {
        question_id: "q1",
        task_id: id("asked"),
        agent_id: "backend",
        question: "Which?",
        options: ["this", "that"],
      },
      { question_id: "q2", task_id: id("wrong"), agent_id: null },
    ],
    task_commits: {
      [id("done")]: {
        commit_sha: told.state.tip,
        completed_at: "2026-01-16T10:00:00.000Z",
        files_modified: ["src/auth.ts"],
        branch: "cox/r7k2",
      },
    },
    active_agents: {
      "busy.1.1": {
        type: "developer",
        task_id: id("busy"),
        dispatched_at: "2026-01-16T10:00:05.000Z",
        timeout_at: "2026-01-16T10:15:05.000Z",
        last_checkpoint: null,
        checkpoint_count: 0,
      },
    },
    active_developers: { "busy.1.1": id("busy") },
    active_auditors: {},
    active_actor_count: 1,
    plan_complete: false,
    run: "r7k2",
    branch: "cox/r7k2",
    last_seq: told.events.length,
  });
});

test("the state file lists the next tasks in the order in which they will be taken", () => {
  const told = story("leaf", "root", "a after root", "b after root");
  expect(saved(told).next_available_tasks).toEqual(["root_1768557600", "leaf_1768557600"]);
});

test("a failed audit is counted, and work that an auditor cannot judge is still to be judged", () => {
  const a = "a" as TaskId;
  const told = story({ task: a, auditor: "tester" })
    .delivers("a")
    .tell("auditor_fail", {
      task: a,
      attempt: 1,
      by: "tester",
      findings: [{ code: "X", message: "no test" }],
    })
    .works("a")
    .replies("a")
    .tell("developer_ready_for_audit", {
      task: a,
      attempt: 2,
      tree: someTree("t2"),
      files: [],
      summary: "",
      outputs: [],
    })
    .tell("verification_passed", {
      work: { of: "task", task: a, attempt: 2 },
      tree: someTree("t2"),
      evidence: { sha256: "0", commands: [] },
    })
    .audits("a");
  expect(saved(told)).toMatchObject({
    failed_audits: { a_1768557600: 1 },
    active_auditors: { "a.2.a1": "a_1768557600" },
  });
  told
    .replies("a")
    .tell("auditor_blocked", { task: a, attempt: 2, by: "tester", reason: "the tests failed before" })
    .tell("question_asked", { question: "q1" as never, task: a, text: "?", options: [] });
  expect(saved(told)).toMatchObject({
    pending_audit: ["a_1768557600"],
    in_progress_tasks: [{ status: "awaiting-divine-guidance" }],
  });
});

test("the state file gives its save reason in the first coordinator's words", () => {
  const paused = (reason: "person" | "trouble") =>
    saved(story("a").tell("run_paused", { reason, detail: "the disk is full", by }));
  expect(paused("person")).toMatchObject({ save_reason: "session_pause", infrastructure_blocked: false });
  expect(paused("trouble")).toMatchObject({
    save_reason: "infrastructure_blocked",
    infrastructure_blocked: true,
    infrastructure_issue: "the disk is full",
  });
  expect(saved(story("a").tell("run_stopped", { by })).save_reason).toBe("session_pause");
});

test("the state file gives the tokens left if they are limited", () => {
  const told = storyWith({ budget: { tokens: 1000 } }, "a")
    .works("a")
    .replies("a", { ms: 1, tokens: 905 });
  expect(saved(told).tokens_remaining_percent).toBe(9);
  expect(saved(story("a")).tokens_remaining_percent).toBeNull();
});

test("the state file counts only resumes: not the first process, nor one that only records a decision", () => {
  const session = { pid: 2, version: "0.1.0", resumes: 0 };
  const told = story("a");
  const count = () => saved(told).session_resume_count;
  expect(count()).toBe(0);
  told.tell("session_started", { ...session, only_records: true }).tell("run_stopped", { by });
  expect(count()).toBe(0);
  told.tell("session_started", session).tell("run_resumed", { by });
  expect(count()).toBe(1);
  told.tell("run_paused", { reason: "person", detail: "", by }).tell("run_resumed", { by });
  expect(count()).toBe(2);
  told.tell("run_resumed", { by, budget: { tokens: 5 } });
  expect(count()).toBe(2);
});

test("in the state file validation is complete once the base was verified, whatever the result", () => {
  const evidence = { sha256: "0", commands: [{ command: "npm test", exit: 1, ms: 1 }] };
  const told = story("a");
  expect(saved(told).validation_complete).toBe(false);
  told.tell("verification_failed", {
    work: { of: "base" },
    tree: someTree("tree0000"),
    evidence,
    why: "npm test → 1",
  });
  expect(saved(told).validation_complete).toBe(true);
});

test("in the state file a commit keeps its wall-clock time when the run continues the next day", () => {
  const told = story("a").after(1000).commits("a");
  const times = new RunTimes();
  for (const event of told.events) times.add(event);
  const tomorrow = { at: began + 86_400_000, time: told.now.time };
  times.add(tomorrow);
  const { task_commits } = stateFile({ state: told.state, now: tomorrow, times });
  expect(task_commits).toMatchObject({ a_1768557600: { completed_at: "2026-01-16T10:00:01.000Z" } });
});
