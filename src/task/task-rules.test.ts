import { expect, test } from "vitest";
import { claude, codes, codex, create, fine, Shelf, wrong } from "../../test/mcp/shelf.ts";
import type { DocumentPath } from "../document/address.ts";
import { activeList } from "../document/address.ts";
import { completeCoordinatorTask } from "./coordinator/complete-coordinator-task.ts";
import { coordinatorTasks } from "./coordinator/coordinator-tasks.ts";
import { startCoordinatorTask } from "./coordinator/start-coordinator-task.ts";
import type { TaskOperation } from "./operation/task-operation.ts";
import { subagentTask } from "./subagent/subagent-address.ts";
import { subagentTasks } from "./subagent/subagent-tasks.ts";
import { completeTask } from "./work/complete-task.ts";
import { startTask } from "./work/start-task.ts";
import type { VerifyHere } from "./work/verify-here.ts";

const scenario = [
  create(
    "Research authentication approaches",
    "- Status: pending\n- Main-Workflow: tdd-incremental-orchestration\n- Workflow: multi-option-tradeoff\n\nCompare JWT vs session-based auth\n\n@/specs/security-requirements.md",
  ),
  create(
    "Implement chosen auth system",
    "- Status: pending\n\nBuild authentication system based on research",
  ),
  create(
    "Write integration tests",
    "- Status: pending\n- Workflow: code-review-issue-based\n\nEnsure auth system works end-to-end",
  ),
];

test("the coordinator's task list works from create and start, also after a compaction, to complete and archive", async () => {
  const shelf = new Shelf({ "/specs/security-requirements.md": "# Security\n\nBe safe.\n" });
  const room = shelf.room();
  const created = fine(await coordinatorTasks(room, scenario));
  expect(created.done.map(({ slug, status }) => [slug, status])).toEqual([
    ["research-authentication-approaches", "pending"],
    ["implement-chosen-auth-system", "pending"],
    ["write-integration-tests", "pending"],
  ]);
  expect(shelf.text(activeList)).toBe(`# Coordinator Tasks

Sequential coordinator task list. Auto-archives when all tasks complete.

## Tasks

### Research authentication approaches

- Status: pending
- Main-Workflow: tdd-incremental-orchestration
- Workflow: multi-option-tradeoff

Compare JWT vs session-based auth

@/specs/security-requirements.md

### Implement chosen auth system

- Status: pending

Build authentication system based on research

### Write integration tests

- Status: pending
- Workflow: code-review-issue-based

Ensure auth system works end-to-end
`);
  const first = fine(await startCoordinatorTask(room));
  expect(first.mainWorkflow.name).toBe("tdd-incremental-orchestration");
  expect(first.workflow?.name).toBe("multi-option-tradeoff");
  expect(first.references.loaded.map(({ document }) => document)).toEqual([
    "/specs/security-requirements.md",
  ]);
  expect(first.task).toMatchObject({
    status: "in_progress",
    by: "claude-code 2.1.325",
    since: "2025-10-14T15:30:45Z",
  });
  const { changes } = shelf;
  const again = fine(await startCoordinatorTask(room));
  expect(again).toEqual({ ...first, isResumed: true });
  expect(shelf.changes).toBe(changes);

  const one = fine(await completeCoordinatorTask(room, { note: "Decided on JWT with refresh tokens." }));
  expect(one.next?.task).toMatchObject({ slug: "implement-chosen-auth-system", status: "in_progress" });
  expect(one.task).toMatchObject({
    status: "completed",
    verified: false,
    notes: ["Decided on JWT with refresh tokens."],
  });
  const two = fine(await completeCoordinatorTask(room, { note: "Done." }));
  expect(two.next?.workflow?.name).toBe("code-review-issue-based");
  const last = fine(await completeCoordinatorTask(room, { note: "All tests pass." }));
  expect(last).toMatchObject({ archivedTo: "/archived/coordinator/active-2025-10-14-153045.md" });
  expect(last.next).toBeUndefined();
  expect(shelf.text(activeList)).toBeUndefined();
  expect(
    shelf.text("/archived/coordinator/active-2025-10-14-153045.md"),
  ).toContain(`### Write integration tests

- Status: completed
- Started: 2025-10-14T15:30:45Z by claude-code 2.1.325
- Completed: 2025-10-14T15:30:45Z by claude-code 2.1.325
- Note: All tests pass.
- Workflow: code-review-issue-based
`);
});

test("an archived task list does not overwrite one of the same second", async () => {
  const shelf = new Shelf();
  const room = shelf.room();
  for (let round = 0; round < 3; round += 1) {
    fine(await coordinatorTasks(room, [create("One", "- Main-Workflow: tdd-incremental-orchestration")]));
    fine(await startCoordinatorTask(room));
    fine(await completeCoordinatorTask(room, { note: `round ${round}` }));
  }
  const archives = shelf.paths().toSorted((one, other) => one.length - other.length);
  expect(archives).toEqual(
    ["", "-2", "-3"].map((copy) => `/archived/coordinator/active-2025-10-14-153045${copy}.md`),
  );
});

test("completing a task again says so and completes nothing else, even if the list is archived", async () => {
  const shelf = new Shelf();
  const room = shelf.room();
  fine(await coordinatorTasks(room, scenario));
  fine(await startCoordinatorTask(room));
  const task = "research-authentication-approaches";
  const first = fine(await completeCoordinatorTask(room, { note: "a", task }));
  const retried = fine(await completeCoordinatorTask(room, { note: "a", task }));
  expect(retried).toMatchObject({
    wasCompleted: true,
    next: { task: { slug: "implement-chosen-auth-system" } },
  });
  expect(retried.next).toEqual({ ...first.next, isResumed: true });
  expect(codes(await completeCoordinatorTask(room, { note: "a", task: "write-integration-tests" }))).toEqual([
    "TASK_NOT_CURRENT",
  ]);
  fine(await completeCoordinatorTask(room, { note: "b" }));
  const end = { note: "c", task: "write-integration-tests" };
  fine(await completeCoordinatorTask(room, end));
  expect(fine(await completeCoordinatorTask(room, end))).toMatchObject({
    wasCompleted: true,
    archivedTo: "/archived/coordinator/active-2025-10-14-153045.md",
  });
});

test("two completions of one task at once complete that task only", async () => {
  const shelf = new Shelf();
  const room = shelf.room();
  fine(await coordinatorTasks(room, scenario));
  fine(await startCoordinatorTask(room));
  const both = await Promise.all([1, 2].map((n) => completeCoordinatorTask(room, { note: `n ${n}` })));
  expect(both.map((one) => fine(one).wasCompleted)).toEqual([false, true]);
  expect(fine(await startCoordinatorTask(room)).task.slug).toBe("implement-chosen-auth-system");
});

test.each<[string, TaskOperation[], string[]]>([
  ["a first task without Main-Workflow", [create("One")], ["MAIN_WORKFLOW_MISSING"]],
  [
    "an unknown workflow",
    [create("One", "- Main-Workflow: nobody\n- Workflow: x")],
    ["WORKFLOW_UNKNOWN", "WORKFLOW_UNKNOWN"],
  ],
  ["an unknown status", [create("One", "- Status: perhaps")], ["PLAN_BAD_STATUS"]],
  ["a status that is a deed", [create("One", "- Status: completed")], ["TASK_STATUS"]],
  ["one slug for two", [...scenario, create("Write Integration tests")], ["TASK_DUPLICATE_SLUG"]],
  ["a heading that would end the task", [create("One", "text\n\n## Two\n")], ["TASK_HEADING"]],
  ["a heading that would be a task", [create("One", "text\n\n### Two\n")], ["TASK_HEADING"]],
  ["a fence that is not closed", [create("One", "```\nx")], ["TASK_UNCLOSED"]],
  ["a reserved title", [create("Notes")], ["TASK_BAD_TITLE"]],
  ["a title that ends in #", [create("Learn #")], ["TASK_BAD_TITLE"]],
  ["two lines", [create("a\nb")], ["TASK_BAD_TITLE"]],
  ["itself to depend on", [...scenario, create("One", "- Depends-On: one")], ["TASK_CIRCLE"]],
  ["nobody to edit", [...scenario, { operation: "edit", slug: "one", title: "b" }], ["TASK_NOT_FOUND"]],
  ["an edit of nothing", [...scenario, { operation: "edit", slug: "one" }], ["TASK_OPERATION"]],
  ["clear with others", [...scenario, { operation: "clear" }], ["TASK_OPERATION"]],
])("on a task list, %s is refused, and nothing of the call is done", async (_what, operations, expected) => {
  const shelf = new Shelf();
  expect(codes(await coordinatorTasks(shelf.room(), operations))).toEqual(expected);
  expect(shelf.paths()).toEqual([]);
});

test("a problem with tasks says which operation has it", async () => {
  const problems = wrong(
    await coordinatorTasks(new Shelf().room(), [...scenario, create(""), create("Notes")]),
  );
  expect(problems.map(({ index }) => index)).toEqual([3, 4]);
});

test("MCP-27 of two clients that start at once exactly one gets the task; the other hears who has it, and can take it over", async () => {
  const shelf = new Shelf({ "/a.md": "# A\n\n## Tasks\n\n### One\n" });
  const at = subagentTask("/a.md#one");
  if ("problem" in at) throw new Error(at.problem.message);
  const both = await Promise.all([claude, codex].map((author) => startTask(shelf.room(author), at)));
  expect(both.map((one) => ("problems" in one ? one.problems[0]?.code : one.task.by))).toEqual([
    "claude-code 2.1.325",
    "LEASE_TAKEN",
  ]);
  const [problem] = wrong(both[1] ?? {});
  expect(problem?.message).toBe('"claude-code 2.1.325" has #one in progress since 2025-10-14T15:30:45Z');
  expect(problem?.hint).toContain("take_over: true");
  expect(codes(await completeTask(shelf.room(codex), { ...at, note: "mine" }))).toEqual(["LEASE_TAKEN"]);
  fine(await startTask(shelf.room({ ...claude, name: "claude-code 2.2.0" }), at));
  expect(fine(await startTask(shelf.room(codex), { ...at, takeOver: true })).task.by).toBe("codex 0.166");
  expect(codes(await startTask(shelf.room(), at))).toEqual(["LEASE_TAKEN"]);
});

test("creating tasks creates their document, and mentions a similar one that was perhaps meant", async () => {
  const shelf = new Shelf({ "/api/user-account.md": "# Account\n" });
  const document = "/api/user-accounts.md";
  const made = fine(await subagentTasks(shelf.room(), { document, operations: [create("Sign in", "")] }));
  expect(made.warnings).toMatchObject([
    { code: "DOC_MADE", hint: expect.stringContaining("/api/user-account.md") },
  ]);
  expect(shelf.text(document)).toMatch(/^# User accounts\n\n## Tasks\n\n### Sign in\n/);
  const edits = [{ operation: "edit", slug: "x", title: "Y" }] as const;
  const missing = await subagentTasks(shelf.room(), { document: "/gone.md", operations: edits });
  expect(codes(missing)).toEqual(["DOC_NOT_FOUND"]);
});

test("subagent tasks are taken in any order, without Main-Workflow and next task", async () => {
  const shelf = new Shelf({
    "/api/authentication.md": "# Authentication\n\nHow users come in.\n",
    "/specs/jwt-spec.md": "# JWT\n",
  });
  const room = shelf.room();
  const made = fine(
    await subagentTasks(room, {
      document: "/docs/api/authentication.md",
      operations: [
        create(
          "Implement JWT signing",
          "- Status: pending\n- Workflow: tdd-incremental-orchestration\n\nImplement token signing logic\n\n@/specs/jwt-spec.md",
        ),
        create("Add token validation", "- Status: pending\n\nValidate tokens in middleware"),
        create("Handle token refresh", "Implement refresh token endpoint"),
        { operation: "list" },
      ],
    }),
  );
  expect(made.rows?.tasks.map(({ slug }) => slug)).toEqual([
    "implement-jwt-signing",
    "add-token-validation",
    "handle-token-refresh",
  ]);
  expect(shelf.text("/api/authentication.md")).toContain(
    "How users come in.\n\n## Tasks\n\n### Implement JWT signing\n\n- Status: pending\n",
  );
  expect(shelf.text("/api/authentication.md")).toContain(
    "### Handle token refresh\n\n- Status: pending\n\nImplement refresh",
  );
  const path = "/api/authentication.md" as DocumentPath;
  const signing = { address: { path, slug: "implement-jwt-signing" } };
  const started = fine(await startTask(room, signing));
  expect(started).toMatchObject({
    workflow: { name: "tdd-incremental-orchestration" },
    references: { loaded: [{ document: "/specs/jwt-spec.md" }] },
  });
  const note = "JWT signing implemented using RS256 algorithm";
  expect(fine(await completeTask(room, { ...signing, note }))).toMatchObject({
    wasCompleted: false,
    task: { status: "completed", notes: [note] },
  });
  expect(fine(await completeTask(room, { ...signing, note: "again" }))).toMatchObject({
    wasCompleted: true,
    task: { notes: [note] },
  });
  expect(fine(await startTask(room, { address: { path, slug: "handle-token-refresh" } })).task.status).toBe(
    "in_progress",
  );
});

test.each([
  [
    "/api/auth.md",
    "TASK_NEEDS_SLUG",
    "Subagent tasks require #slug (ad-hoc mode). Use coordinator tools for sequential work.",
  ],
  ["/coordinator/active.md", "COORDINATOR_DOCUMENT", "Use coordinator tools for /coordinator/ namespace"],
  ["/coordinator/active.md#one", "COORDINATOR_DOCUMENT", "Use coordinator tools for /coordinator/ namespace"],
  ["coordinator/x.md#one", "COORDINATOR_DOCUMENT", "Use coordinator tools"],
  ["/archived/coordinator/active-1.md#one", "DOC_ARCHIVED", "archived"],
  ["../x.md#one", "PATH_DOTDOT", ""],
])("a subagent's task is not %s", (given, code, words) => {
  const read = subagentTask(given);
  expect(read).toMatchObject({ problem: { code } });
  if ("problem" in read) expect(read.problem.message).toContain(words);
});

test("a blocked or waiting task is not skipped, and the answer says what to do", async () => {
  const shelf = new Shelf();
  const room = shelf.room();
  const main = "- Main-Workflow: tdd-incremental-orchestration\n";
  fine(
    await coordinatorTasks(room, [create("One", main), create("Two", "- Status: blocked"), create("Three")]),
  );
  fine(await startCoordinatorTask(room));
  const done = fine(await completeCoordinatorTask(room, { note: "x" }));
  expect(done.waiting).toMatchObject({ code: "TASK_BLOCKED" });
  expect(done.waiting?.hint).toContain(
    "call coordinator_task with operation edit, slug two and status: pending",
  );
  expect(codes(await startCoordinatorTask(room))).toEqual(["TASK_BLOCKED"]);
  fine(
    await coordinatorTasks(room, [
      { operation: "edit", slug: "two", content: "- Depends-On: three", status: "pending" },
    ]),
  );
  expect(codes(await startCoordinatorTask(room))).toEqual(["TASK_WAITS"]);
  fine(await coordinatorTasks(room, [{ operation: "edit", slug: "two", content: "Alone." }]));
  expect(fine(await startCoordinatorTask(room)).task.slug).toBe("two");
});

test("editing a task keeps its slug and record, and refuses what it may not change", async () => {
  const shelf = new Shelf({ "/a.md": "# A\n\n## Tasks\n\n### One\n\nOld words\n\n### Two\n\nOther\n" });
  const room = shelf.room();
  const on = (...operations: TaskOperation[]) => subagentTasks(room, { document: "/a.md", operations });
  const one = { address: { path: "/a.md" as DocumentPath, slug: "one" } };
  fine(await startTask(room, one));
  fine(
    await on({ operation: "edit", slug: "one", title: "First", content: "- Priority: high\n\nNew words" }),
  );
  expect(shelf.text("/a.md")).toBe(
    "# A\n\n## Tasks\n\n### First\n\n- Id: one\n- Status: in_progress\n- Started: 2025-10-14T15:30:45Z by claude-code 2.1.325\n- Priority: high\n\nNew words\n\n### Two\n\nOther\n",
  );
  expect(codes(await on({ operation: "edit", slug: "one", content: "- Status: completed" }))).toEqual([
    "TASK_STATUS",
  ]);
  fine(
    await on(
      { operation: "edit", slug: "one", status: "pending" },
      { operation: "edit", slug: "two", title: "Second" },
    ),
  );
  expect(shelf.text("/a.md")).toBe(
    "# A\n\n## Tasks\n\n### First\n\n- Id: one\n- Status: pending\n- Priority: high\n\nNew words\n\n### Second\n\n- Id: two\n\nOther\n",
  );
});

test("a Main-Workflow in a document is a warning, and a slug of another heading counts as taken", async () => {
  const shelf = new Shelf({ "/a.md": "# A\n\n## Setup\n\n## Tasks\n" });
  const on = (...operations: TaskOperation[]) =>
    subagentTasks(shelf.room(), { document: "/a.md", operations });
  const main = "- Main-Workflow: tdd-incremental-orchestration";
  expect(fine(await on(create("One", main))).warnings).toMatchObject([
    { code: "MAIN_WORKFLOW_IN_DOCS", index: 0 },
  ]);
  expect(codes(await on(create("Setup")))).toEqual(["TASK_DUPLICATE_SLUG"]);
  expect(codes(await on(create("Tasks")))).toEqual(["TASK_DUPLICATE_SLUG"]);
});

test("clear archives the done tasks and passes the Main-Workflow on", async () => {
  const shelf = new Shelf();
  const room = shelf.room();
  fine(await coordinatorTasks(room, scenario));
  expect(fine(await coordinatorTasks(room, [{ operation: "clear" }]))).toMatchObject({ cleared: 0 });
  fine(await startCoordinatorTask(room));
  fine(await completeCoordinatorTask(room, { note: "x" }));
  const cleared = fine(await coordinatorTasks(room, [{ operation: "clear" }]));
  expect(cleared).toMatchObject({
    cleared: 1,
    archivedTo: "/archived/coordinator/active-2025-10-14-153045.md",
  });
  expect(shelf.text(cleared.archivedTo ?? "")).toContain(
    "### Research authentication approaches\n\n- Status: completed",
  );
  expect(shelf.text(activeList)).not.toContain("Research");
  expect(fine(await startCoordinatorTask(room))).toMatchObject({
    task: { slug: "implement-chosen-auth-system" },
    mainWorkflow: { name: "tdd-incremental-orchestration" },
  });
});

test("completing a task with Verify needs trusted commands that pass: untrusted ones are not run, failing ones do not complete it", async () => {
  const shelf = new Shelf({ "/a.md": "# A\n\n## Tasks\n\n### One\n\n- Verify: npm test\n" });
  const one = { address: { path: "/a.md" as DocumentPath, slug: "one" }, note: "done" };
  const [untrusted] = wrong(await completeTask(shelf.room(), one));
  expect(untrusted).toMatchObject({ code: "VERIFY_UNTRUSTED" });
  expect(untrusted?.hint).toContain("cox approve .coxswain/docs/a.md");
  const ending = (passed: boolean): VerifyHere => ({
    isTrusted: () => true,
    run: async () => ({ passed, exitCode: passed ? 0 : 1, output: "two tests\nfailed\n" }),
  });
  const [failed] = wrong(await completeTask(shelf.room(claude, ending(false)), one));
  expect(failed?.message).toBe(
    '"npm test" failed (exit code 1); #one is not completed. It printed:\ntwo tests\nfailed',
  );
  expect(shelf.changes).toBe(0);
  expect(fine(await completeTask(shelf.room(claude, ending(true)), one)).task).toMatchObject({
    verified: true,
  });
  expect(shelf.text("/a.md")).toContain("by claude-code 2.1.325 (verified)\n");
});

test("verify commands that change while they run complete no task", async () => {
  const shelf = new Shelf({ "/a.md": "# A\n\n## Tasks\n\n### One\n\n- Verify: npm test\n" });
  const meddling: VerifyHere = {
    isTrusted: () => true,
    run: async () => {
      shelf.put("/a.md", "# A\n\n## Tasks\n\n### One\n\n- Verify: npm run all\n");
      return { passed: true, exitCode: 0, output: "" };
    },
  };
  const one = { address: { path: "/a.md" as DocumentPath, slug: "one" }, note: "done" };
  expect(codes(await completeTask(shelf.room(claude, meddling), one))).toEqual(["VERIFY_CHANGED"]);
});
