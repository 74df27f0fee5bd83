/** Rolling tasks back, with the real program and real git. */
import { expect, test } from "vitest";
import { Crew, type CrewOptions, held, work } from "./crew.ts";
import { program } from "./program.ts";
import { needsPseudoTerminal, onTerminal } from "./pseudo-terminal.ts";

const chain = "- [ ] one\n- [ ] two\n  - depends on: one\n- [ ] three";

async function finished(options: Partial<CrewOptions> = {}): Promise<Crew> {
  const crew = new Crew({
    tasks: chain,
    script: { default: [work("$COX_TASK.txt")] },
    config: ['verify: "true"'],
    ...options,
  });
  const ended = await crew.cox("run", "plan.md", "--yes");
  expect(ended.exitCode, ended.stderr).toBe(0);
  return crew;
}

function filesOf(crew: Crew): string {
  const branch = crew.git("for-each-ref", "--format=%(refname)", "refs/heads/cox").trim();
  return crew.git("ls-tree", "-r", "--name-only", branch);
}

test("a task that others depend on is rolled back only with them, after a yes, and a resume does them again", async () => {
  const crew = await finished();

  const blocked = await crew.cox("rollback", "one", "--yes");
  expect(blocked).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/ROLLBACK_BLOCKED[\s\S]*two[\s\S]*--cascade/),
  });
  const before = crew.events().length;
  expect(await crew.cox("rollback", "on")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("Did you mean one?"),
  });
  const shown = await crew.cox("rollback", "one", "--cascade", "--dry-run", "--json");
  expect(JSON.parse(shown.stdout)).toMatchObject({
    ok: true,
    dry_run: true,
    reverts: [
      { task: "two", files: ["two.txt"] },
      { task: "one", files: ["one.txt"] },
    ],
  });
  const unasked = await crew.cox("rollback", "one", "--cascade");
  expect(unasked).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("NEEDS_YES") });
  expect(crew.events()).toHaveLength(before);

  const taken = await crew.cox("rollback", "one", "--cascade", "--yes");
  expect(taken.exitCode, taken.stderr).toBe(0);
  expect(taken.stdout).toMatch(/2 tasks reverted[\s\S]*verify commands pass/);
  expect(filesOf(crew)).not.toMatch(/one.txt|two.txt/);
  expect(filesOf(crew)).toContain("three.txt");
  expect(crew.git("status", "--porcelain")).toBe("");

  const resumed = await crew.cox("resume");
  expect(resumed.exitCode, resumed.stderr).toBe(0);
  expect(filesOf(crew)).toMatch(/one.txt[\s\S]*two.txt/);
});

/** They run one after the other, because both claim the file. */
const inTurn = { tasks: "- [ ] one\n  - writes: shared.txt\n- [ ] two\n  - writes: shared.txt" };

test("a task that nothing depends on is rolled back alone, and only once", async () => {
  const crew = await finished();
  const alone = await crew.cox("rollback", "two", "--yes", "--json");
  expect(alone.exitCode, alone.stdout).toBe(0);
  expect(JSON.parse(alone.stdout)).toMatchObject({ ok: true, reverted: [{ task: "two" }], verified: true });
  const twice = await crew.cox("rollback", "two", "--yes");
  expect(twice).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("ROLLBACK_NO_COMMIT") });
});

test("a rollback counts only its own tasks, whatever another process rolls back while it asks", async (context) => {
  needsPseudoTerminal(context);
  const crew = await finished({ tasks: `${chain}\n- [ ] four\n  - depends on: three\n- [ ] five` });
  const whileItAsks = (args: readonly string[], other: readonly string[]) =>
    onTerminal(["rollback", ...args], {
      cwd: crew.root,
      env: crew.env,
      reactions: [
        { when: "[y/N", run: [process.execPath, program, "rollback", ...other, "--yes"], type: "y\n" },
      ],
    }).output;
  expect(whileItAsks(["one", "--cascade"], ["three", "--cascade"])).toContain(" 2 tasks reverted");
  const resumed = await crew.cox("resume");
  expect(resumed.exitCode, resumed.stderr).toBe(0);
  expect(whileItAsks(["five"], ["one", "--cascade"])).toContain(" 1 task reverted");
});

test("a rollback after which the verify commands fail reports that, with exit code 1", async () => {
  const verify = 'verify: "test ! -e two.txt -o -e one.txt"';
  const tasks = "- [ ] zero\n- [ ] one\n- [ ] two\n  - depends on: zero";
  const crew = await finished({ tasks, config: [verify, "schedule: levels"] });
  const taken = await crew.cox("rollback", "one", "--yes", "--json");
  expect(taken.exitCode, taken.stdout).toBe(1);
  expect(JSON.parse(taken.stdout)).toMatchObject({
    ok: false,
    reverted: [{ task: "one" }],
    verified: false,
    errors: [{ code: "ROLLBACK_UNVERIFIED" }],
  });
});

test("a rollback whose revert conflicts is refused before anything is changed, and names the later task", async () => {
  const crew = await finished({
    ...inTurn,
    script: { one: [work("shared.txt", "one\n")], two: [work("shared.txt", "two\n")] },
  });
  const before = crew.events().length;
  const refused = await crew.cox("rollback", "one", "--yes");
  expect(refused).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(
      /ROLLBACK_CONFLICT[\s\S]*shared.txt, which two changed[\s\S]*cox rollback two/,
    ),
  });
  // It is logged, and nothing was attempted.
  const logged = crew.events().slice(before);
  expect(logged.map(({ event }) => event)).toEqual([
    "session_started",
    "state_reconstructed",
    "rollback_failed",
  ]);
  expect(logged.at(-1)?.data).toMatchObject({
    task: "one",
    reason: "later changes are in the way: shared.txt (changed by two)",
  });
});

test("a task is rolled back while the run continues: its dependent stops, and both are done again", async () => {
  const crew = new Crew({
    tasks: "- [ ] one\n- [ ] two\n  - depends on: one",
    script: { one: [work("one.txt")], two: [[held("taken"), ...work("two.txt")]] },
    config: ['verify: "true"'],
  });
  const running = crew.start("run", "plan.md", "--yes");
  await crew.recorded("task_complete");
  await crew.recorded("agent_dispatched", 2);
  const shown = await crew.cox("rollback", "one", "--dry-run");
  expect(shown.stderr).toMatch(/1 task to be reverted[\s\S]*Stops and starts again: two/);
  const taken = await crew.cox("rollback", "one", "--yes", "--json");
  expect(taken.exitCode, taken.stdout).toBe(0);
  expect(JSON.parse(taken.stdout)).toMatchObject({ ok: true, is_running: true, reverted: [{ task: "one" }] });
  crew.release("taken");
  const ended = await running.ended;
  expect(ended.exitCode, ended.stderr).toBe(0);
  expect(crew.events().some(({ event, data }) => event === "task_aborted" && data.task === "two")).toBe(true);
  expect(filesOf(crew)).toMatch(/one.txt[\s\S]*two.txt/);
});
