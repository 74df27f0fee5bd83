/**
 * What happens when people change the run's branch during the run: it pauses, says what to type, and continues from
 * there.
 */
import { expect, test } from "vitest";
import { Crew, held, work } from "./crew.ts";

/** A run with one task done and another one held. */
async function underWay() {
  const crew = new Crew({
    tasks: "- [ ] one\n- [ ] two\n  - Needs: one",
    script: { one: [work("one.txt")], two: [[held("go"), ...work("two.txt")]] },
    config: ['verify: "true"'],
    files: { "a.txt": "old\n" },
  });
  const running = crew.start("run", "plan.md", "--yes");
  await crew.recorded("task_complete");
  await crew.recorded("agent_dispatched", 2);
  return { crew, running };
}

const pausedWith = (crew: Crew) => String(crew.eventsOf("run_paused").at(-1)?.detail);

test("a run's branch that somebody deleted is restored by the command that the run names", async () => {
  const { crew, running } = await underWay();
  const tip = crew.git("rev-parse", crew.branch);
  crew.git("branch", "-D", crew.branch);
  crew.release("go");
  const ended = await running.ended;
  expect(ended.exitCode, ended.stderr).toBe(4);
  expect(pausedWith(crew)).toContain(`git branch ${crew.branch} ${tip}`);
  expect(ended.stdout).toContain("somebody deleted");

  crew.git("branch", crew.branch, tip);
  const resumed = await crew.cox("resume");
  expect(resumed.exitCode, resumed.stderr).toBe(0);
  expect(crew.committedTasks()).toEqual(["one", "two"]);
});

test("a run's branch that somebody has checked out does not move: the checkout stays clean, and the work is kept", async () => {
  const { crew, running } = await underWay();
  const tip = crew.git("rev-parse", crew.branch);
  crew.git("switch", "-q", crew.branch);
  crew.release("go");
  const ended = await running.ended;
  expect(ended.exitCode, ended.stderr).toBe(4);
  expect(pausedWith(crew)).toContain(`checked out in "${crew.root}"`);
  expect(crew.git("rev-parse", crew.branch)).toBe(tip);
  expect(crew.git("status", "--porcelain")).toBe("");
  expect((await crew.cox("status")).stdout).toContain("git switch");
  expect(await crew.cox("land", "--yes")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/LAND_ON_RUN[\s\S]*git switch BRANCH/),
  });

  crew.git("switch", "-q", "-");
  const resumed = await crew.cox("resume");
  expect(resumed.exitCode, resumed.stderr).toBe(0);
  expect(crew.committedTasks()).toEqual(["one", "two"]);
  expect((await crew.cox("land", "--yes")).stdout).toContain("landed: main");
});
