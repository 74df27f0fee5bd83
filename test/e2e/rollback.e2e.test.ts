/** Taking tasks back, with the real program and real git. */
import { expect, test } from "vitest";
import { Crew, type CrewWish, held, work } from "./crew.ts";

const chain = "- [ ] one\n- [ ] two\n  - depends on: one\n- [ ] three";

async function finished(wish: Partial<CrewWish> = {}): Promise<Crew> {
  const crew = new Crew({
    tasks: chain,
    script: { default: [work("$COX_TASK.txt")] },
    config: ['verify: "true"'],
    ...wish,
  });
  const ended = await crew.cox("run", "plan.md", "--yes");
  expect(ended.exitCode, ended.stderr).toBe(0);
  return crew;
}

function filesOf(crew: Crew): string {
  const branch = crew.git("for-each-ref", "--format=%(refname)", "refs/heads/cox").trim();
  return crew.git("ls-tree", "-r", "--name-only", branch);
}

test("a task that others depend on is taken back only with them, after a yes, and is done again by a resume", async () => {
  const crew = await finished();
  const before = crew.events().length;

  const blocked = await crew.cox("rollback", "one", "--yes");
  expect(blocked).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/ROLLBACK_BLOCKED[\s\S]*two[\s\S]*--cascade/),
  });
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
  expect(taken.stdout).toMatch(/2 tasks taken back[\s\S]*verify commands pass/);
  expect(filesOf(crew)).not.toMatch(/one.txt|two.txt/);
  expect(filesOf(crew)).toContain("three.txt");
  expect(crew.git("status", "--porcelain")).toBe("");

  const resumed = await crew.cox("resume");
  expect(resumed.exitCode, resumed.stderr).toBe(0);
  expect(filesOf(crew)).toMatch(/one.txt[\s\S]*two.txt/);
});

const apart = { tasks: "- [ ] one\n- [ ] two" };

test("a task that nobody depends on is taken back alone, and only once", async () => {
  const crew = await finished();
  const alone = await crew.cox("rollback", "two", "--yes", "--json");
  expect(alone.exitCode, alone.stdout).toBe(0);
  expect(JSON.parse(alone.stdout)).toMatchObject({ ok: true, reverted: [{ task: "two" }], verified: true });
  const twice = await crew.cox("rollback", "two", "--yes");
  expect(twice).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("TASK_ILLEGAL_TRANSITION") });
});

test("what is left and does not pass is told, and the exit code says so", async () => {
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

test("a revert that does not fit is refused before anything is changed, and names the task that came after", async () => {
  const crew = await finished({
    ...apart,
    config: ['verify: "true"', "active-developers: 1"],
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
  expect(crew.events()).toHaveLength(before);
});

test("a task is taken back while the run goes on: its dependent stops, and both are done again", async () => {
  const crew = new Crew({
    tasks: "- [ ] one\n- [ ] two\n  - depends on: one",
    script: { one: [work("one.txt")], two: [[held("taken"), ...work("two.txt")]] },
    config: ['verify: "true"'],
  });
  const running = crew.start("run", "plan.md", "--yes");
  await crew.recorded("task_complete");
  await crew.recorded("agent_dispatched", 2);
  const taken = await crew.cox("rollback", "one", "--yes", "--json");
  expect(taken.exitCode, taken.stdout).toBe(0);
  expect(JSON.parse(taken.stdout)).toMatchObject({ ok: true, is_running: true, reverted: [{ task: "one" }] });
  crew.release("taken");
  const ended = await running.ended;
  expect(ended.exitCode, ended.stderr).toBe(0);
  expect(crew.events().some(({ event, data }) => event === "task_aborted" && data.task === "two")).toBe(true);
  expect(filesOf(crew)).toMatch(/one.txt[\s\S]*two.txt/);
});
