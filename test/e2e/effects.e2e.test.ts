/** The visible effects of a plan's settings and of replies: in the log, in prompts, and in a run's settings. */
import { expect, test } from "vitest";
import { folderWith } from "./folder.ts";
import { cox } from "./program.ts";
import { RunWorld, writesItsTask } from "./run-world.ts";

const settings = `title: Two steps
active-developers: 2
verify: test -f a.txt
setup: test -f README.md
budget: 50 turns
schedule: levels
on-question: hold-all
confirm-deletes: never
confirm-sensitive: never
on-outside-change: fail
verify-base: false
reply-attempts: 4
turn-attempts: 5
audit-attempts: 6
turn-timeout: 7 m
stall-timeout: 8 m
verify-timeout: 9 m
checkpoint-interval: 1 s
also-writable: ~/seen
priority: high
timeout: 11 m
attempts: 12
agent: dev
auditor: tess
land: never
`;

const plan = `---
${settings}---
## Tasks

### A

- Writes: a.txt, c.txt

### B

- Depends-On: a
- Deletes: b.old
- Shares: database
- Priority: low
- Timeout: 3 m
- Attempts: 2
- Budget: 9 turns
- Verify: test -f b.txt
- Success: b.txt holds one letter

Write it as the first one was written.
`;

/** The first task takes long enough for checkpoints, and hands a document on. */
const developer = `
if (task === "a") await new Promise((go) => setTimeout(go, 3500));
write(task + ".txt", task);
say(JSON.stringify({
  file_operations: [],
  specialist_summary: "Wrote " + task + ".",
  signal: "READY FOR AUDIT",
  outputs: task === "a" ? [{ name: "schema.md", content: "The table users has an email." }] : [],
}));`;

const auditor = `
say(JSON.stringify({
  verdict: "PASS",
  summary: "It is there.",
  evidence: [{ criterion: "a file", evidence: "test -f passed" }],
  findings: [{ severity: "advice", file: task + ".txt", line: 1, problem: "no last newline", fix: "add one" }],
}));`;

test("a run obeys the settings of its plan, passes on the content of replies, and records an auditor's findings", async () => {
  const world = new RunWorld({
    plan,
    // The run must use the agents that the plan names, not the first ones listed here.
    agents: {
      ...{ zoe: { node: "" }, tom: { node: "" } },
      ...{ dev: { node: developer }, tess: { node: auditor } },
    },
    roles: { tom: "auditor", tess: "auditor" },
    files: { "README.md": "x", "b.old": "x" },
  });
  const { exitCode, stderr } = await world.cox("run", "plan.md", "--yes");
  expect(exitCode, stderr).toBe(0);

  const [started] = world.eventsOf("run_started");
  expect(started).toMatchObject({
    title: "Two steps",
    settings: {
      active_developers: 2,
      verify: ["test -f a.txt"],
      setup: ["test -f README.md"],
      budget: { turns: 50 },
      schedule: "levels",
      on_question: "hold-all",
      confirm_deletes: "never",
      confirm_sensitive: "never",
      on_outside_change: "fail",
      verify_base: false,
      reply_attempts: 4,
      turn_attempts: 5,
      audit_attempts: 6,
      turn_timeout_ms: 420_000,
      stall_timeout_ms: 480_000,
      verify_timeout_ms: 540_000,
      checkpoint_interval_ms: 1000,
      also_writable: ["~/seen"],
    },
    tasks: [
      {
        ...{ task: "a", agent: "dev", auditor: "tess", priority: "high", writes: ["a.txt", "c.txt"] },
        ...{ timeout_ms: 660_000, attempts: 12, verify: ["test -f a.txt"] },
      },
      {
        ...{ task: "b", depends_on: ["a"], deletes: ["b.old"], shares: ["database"], priority: "low" },
        ...{ timeout_ms: 180_000, attempts: 2, budget: { turns: 9 }, verify: ["test -f b.txt"] },
      },
    ],
  });

  // Half-finished work is kept during the turn.
  expect(world.eventsOf("developer_checkpoint")).toContainEqual(
    expect.objectContaining({ task: "a", tree: expect.any(String) }),
  );
  const prompt = world.read(world.path("turns/b.1.1/prompt.md"));
  expect(prompt).toContain("schema.md:\n\n> The table users has an email.");
  expect(prompt).toContain("> Wrote a.");
  expect(prompt).toContain("## It is done when\n\n- b.txt holds one letter");
  expect(world.git("log", "-1", "--format=%B", `${world.branch}~1`)).toContain("Wrote a.");
  expect(world.eventsOf("audit_passed")[0]).toMatchObject({
    by: "tess",
    summary:
      "It is there. Evidence: a file: test -f passed Findings: advice a.txt:1: no last newline → add one",
  });
  expect((await world.cox("log")).stdout).toContain("Evidence: a file: test -f passed");
});

test("`approve: auto` starts a plan whose commands were approved before, and `approve: ask` does not", async () => {
  const text = (approve: string, task: string) =>
    `---\nverify: test -f README.md\napprove: ${approve}\nland: never\n---\n## Tasks\n- [ ] ${task}\n`;
  const world = new RunWorld({
    plan: text("ask", "one"),
    agents: { dev: writesItsTask },
    files: { "README.md": "x", "asks.md": text("ask", "two"), "begins.md": text("auto", "three") },
  });
  expect((await world.cox("approve", "plan.md", "--yes")).exitCode).toBe(0);
  expect((await world.cox("run", "asks.md", "--no-input")).exitCode).toBe(3);
  expect(world.findRun()).toBeUndefined();
  expect((await world.cox("run", "begins.md", "--no-input")).exitCode).toBe(0);
  expect(world.eventsOf("run_started")).toMatchObject([{ by: { door: "plan" } }]);
});

test("verify_content: false leaves the preview out, and the file is read back all the same", async () => {
  const operation = { operation: "create", description: "a file that is new", content: "text\n" };
  const reply = {
    file_operations: [
      { ...operation, file_path: "a.txt" },
      { ...operation, file_path: "b.txt", verify_content: false },
    ],
  };
  const { stdout } = await cox(["apply", "--json"], { cwd: folderWith(), stdin: JSON.stringify(reply) });
  const { operations } = JSON.parse(stdout);
  expect(operations).toMatchObject([
    { status: "applied", preview: ["text"], sha256: expect.any(String) },
    { status: "applied", preview: null, sha256: expect.any(String) },
  ]);
});

/** In its first turn each task sends the signal it is named after; the second turn does the work. */
const signals = `
say("Checkpoint: half of it is there");
const isFirst = turn.endsWith(".1.1");
if (task === "part" && isFirst) say("TASK INCOMPLETE: part the second half is missing");
else if (task === "infra" && isFirst) say("INFRA BLOCKED: infra there is no database");
else if (task === "ask")
  say(JSON.stringify({
    signal: "SEEKING DIVINE CLARIFICATION",
    question: { text: "Red or blue?", options: ["red", "blue"], why: "both fit" },
  }));
else {
  write(task + ".txt", task);
  say("READY FOR AUDIT: " + task);
}`;

test("every signal of a developer is acted on: finished, a part, blocked, a question, a checkpoint", async () => {
  const world = new RunWorld({
    plan: "---\nverify: test -f README.md\nland: never\n---\n## Tasks\n- [ ] ready\n- [ ] part\n- [ ] infra\n- [ ] ask\n",
    agents: { dev: { node: signals } },
    files: { "README.md": "x" },
  });
  expect((await world.cox("run", "plan.md", "--yes")).exitCode).toBe(3);
  expect(world.eventsOf("task_incomplete")).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ task: "part", reason: "the second half is missing" }),
      expect.objectContaining({ task: "infra", reason: "there is no database" }),
    ]),
  );
  expect(world.eventsOf("agent_seeks_guidance")).toMatchObject([
    { task: "ask", text: "Red or blue? (both fit)", options: ["red", "blue"] },
  ]);
  expect(world.committedTasks().toSorted()).toEqual(["infra", "part", "ready"]);
  expect(world.eventsOf("developer_checkpoint")).toContainEqual(
    expect.objectContaining({ task: "ready", text: "half of it is there" }),
  );
});
