/**
 * A person decides about a run from another process: the decision takes effect only once it is recorded, whoever writes
 * the run.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Step } from "./agent-program.ts";
import { Crew, held, work } from "./crew.ts";
import { cox, program } from "./program.ts";

const three = "- [ ] one\n- [ ] two\n- [ ] three\n  - depends on: one";

test("a run is paused from another process, its agents finish, and it is resumed to its end", async () => {
  const crew = new Crew({
    tasks: three,
    script: { default: [[held("paused"), ...work("$COX_TASK.txt")]] },
    config: ['verify: "true"', "active-developers: 1"],
  });
  const running = crew.start("run", "plan.md", "--yes");
  await crew.recorded("agent_dispatched");
  const paused = await crew.cox("pause", "--json");
  expect(JSON.parse(paused.stdout)).toMatchObject({
    ok: true,
    is_running: true,
    recorded: [{ event: "run_paused" }],
  });
  crew.release("paused");
  expect((await running.ended).exitCode).toBe(4);
  expect(crew.events().filter(({ event }) => event === "agent_dispatched")).toHaveLength(1);
  expect(crew.events().filter(({ event }) => event === "agent_complete")).toHaveLength(1);

  const again = await crew.cox("pause");
  expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("already paused") });
  expect((await crew.cox("resume")).exitCode).toBe(0);
  expect(crew.events().filter(({ event }) => event === "task_complete")).toHaveLength(3);
  const nothing = await crew.cox("resume");
  expect(nothing).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("Nothing is left to do") });
});

test("a run is stopped from another process: its agent is ended, and a resume starts the turn again", async () => {
  const crew = new Crew({
    tasks: "- [ ] one",
    script: { one: [[{ hang: true }]] },
    config: ['verify: "true"'],
  });
  const running = crew.start("run", "plan.md", "--yes");
  await crew.recorded("agent_dispatched");
  expect((await crew.cox("stop")).exitCode).toBe(0);
  expect((await running.ended).exitCode).toBe(130);
  expect(crew.events().at(-1)?.event).toBe("agent_cancelled");
  const resumed = crew.start("resume", "--json");
  await crew.recorded("run_resumed");
  expect((await crew.cox("stop", "--json")).exitCode).toBe(0);
  expect((await resumed.ended).exitCode).toBe(130);
});

test("a resumed run that was killed does no committed task again", async () => {
  const crew = new Crew({
    tasks: three,
    script: {
      one: [work("one.txt")],
      two: [work("two.txt")],
      three: [[{ sleep: 800 }, ...work("three.txt")]],
    },
    config: ['verify: "true"'],
  });
  const running = crew.start("run", "plan.md", "--yes");
  await crew.recorded("task_complete");
  running.child.kill("SIGKILL");
  await running.ended;
  const resumed = await crew.cox("resume");
  expect(resumed.exitCode, resumed.stderr).toBe(0);
  const complete = crew.events().flatMap(({ event, data }) => (event === "task_complete" ? [data.task] : []));
  expect(complete.sort()).toEqual(["one", "three", "two"]);
});

const asks: Step[] = [{ say: "SEEKING DIVINE CLARIFICATION: which port?\nOptions:\n- 8080\n- 9090" }];

test("a question is answered by the number of an option, and the agent gets the words of that option", async () => {
  const crew = new Crew({
    tasks: "- [ ] one",
    script: { one: [asks] },
    config: ['verify: "true"'],
  });
  const waiting = await crew.cox("run", "plan.md", "--yes");
  expect(waiting.exitCode, waiting.stderr).toBe(3);
  expect(await crew.cox("answer", "q7", "x")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/QUESTION_UNKNOWN[\s\S]*Open: q1/),
  });
  expect((await crew.cox("answer", "q1")).exitCode).toBe(2);
  expect((await crew.cox("confirm", "q1")).stderr).toContain("QUESTION_WANTS_ANSWER");
  const answered = await crew.cox("answer", "q1", "2");
  expect(answered).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("cox resume") });
  const twice = await crew.cox("answer", "q1", "1", "--json");
  expect(twice.exitCode).toBe(1);
  expect(JSON.parse(twice.stdout)).toMatchObject({ ok: false, errors: [{ code: "QUESTION_DECIDED" }] });
  const [response] = crew.events().filter(({ event }) => event === "divine_response_received");
  expect(response?.data).toMatchObject({ question: "q1", answer: "9090", by: { door: "command" } });
});

test("an answer to a run that is being watched reaches the process that works on it", async () => {
  const crew = new Crew({
    tasks: "- [ ] one\n- [ ] two",
    script: { one: [asks, work("one.txt")], two: [[held("answered"), ...work("two.txt")]] },
    config: ['verify: "true"'],
  });
  const running = crew.start("run", "plan.md", "--yes");
  await crew.recorded("agent_seeks_guidance");
  const answered = await crew.cox("answer", "q1", "use", "port", "80", "--json");
  expect(JSON.parse(answered.stdout)).toMatchObject({ ok: true, is_running: true });
  crew.release("answered");
  const ended = await running.ended;
  expect(ended.exitCode, ended.stderr).toBe(0);
  expect(crew.git("log", "--format=%s", "--all")).toMatch(/one/);
});

const deletes: Step[] = [{ delete: "old.txt" }, { say: "READY FOR AUDIT: one" }];

test("an undeclared delete waits for a person, and is done only if allowed", async () => {
  for (const isAllowed of [true, false]) {
    const crew = new Crew({
      tasks: "- [ ] one",
      script: { one: [deletes] },
      config: ['verify: "true"', "confirm-deletes: ask"],
      files: { "old.txt": "old\n" },
    });
    const waiting = await crew.cox("run", "plan.md", "--yes");
    expect(waiting.exitCode, waiting.stderr).toBe(3);
    const decided = await crew.cox(...(isAllowed ? ["confirm", "q1"] : ["deny", "q1", "keep", "it"]));
    expect(decided.exitCode, decided.stderr).toBe(0);
    expect(decided.stdout).toContain("old.txt");
    const resumed = await crew.cox("resume");
    if (isAllowed) {
      expect(resumed.exitCode, resumed.stderr).toBe(0);
      expect(crew.git("ls-tree", "-r", "--name-only", tipOf(crew))).not.toContain("old.txt");
    } else {
      // The script does the same again, so the question comes again.
      expect(resumed.exitCode).toBe(3);
      const denied = crew.events().find(({ event }) => event === "confirmation_denied");
      expect(denied?.data).toMatchObject({ question: "q1", reason: "keep it" });
    }
  }
});

test("cox retry tries a failed task again, and suggests the nearest name for an unknown one", async () => {
  const crew = new Crew({
    tasks: "- [ ] one",
    script: { one: [[{ say: "TASK INCOMPLETE: one - it is too hard" }], work("one.txt")] },
    config: ['verify: "true"', "audit-attempts: 1", "turn-attempts: 1"],
  });
  const failed = await crew.cox("run", "plan.md", "--yes");
  expect(failed.exitCode, failed.stderr).toBe(3);
  expect((await crew.cox("retry", "on")).stderr).toMatch(/TASK_UNKNOWN[\s\S]*Did you mean one\?/);
  const retried = await crew.cox("retry", "one", "--afresh");
  expect(retried.exitCode, retried.stderr).toBe(0);
  expect((await crew.cox("retry", "one")).stderr).toContain("TASK_ILLEGAL_TRANSITION");
});

test("an agent that decides for a person is refused and named, and nothing is decided", async () => {
  const decide = (...before: string[]) => ({ run: [...before, process.execPath, program, "confirm", "q1"] });
  const crew = new Crew({
    tasks: "- [ ] one\n- [ ] two",
    script: {
      one: [deletes],
      two: [
        [
          held("asked"),
          decide(),
          decide("env", "-u", "COX_TURN"),
          { run: ["sh", "-c", `env -u COX_TURN ${process.execPath} ${program} confirm q1; true`] },
          ...work("two.txt"),
        ],
      ],
    },
    config: ['verify: "true"', "confirm-deletes: ask"],
    files: { "old.txt": "old\n" },
  });
  const running = crew.start("run", "plan.md", "--yes");
  await crew.recorded("confirmation_requested");
  crew.release("asked");
  const ended = await running.ended;
  expect(ended.exitCode, ended.stderr).toBe(3);
  const names = crew.events().map(({ event }) => event);
  expect(names).not.toContain("confirmation_given");
  const overstepped = crew.events().filter(({ event }) => event === "agent_overstepped");
  expect(overstepped.length).toBeGreaterThanOrEqual(2);
  expect(overstepped[0]?.data).toMatchObject({
    code: "AGENT_DECIDES",
    message: expect.stringContaining("cox confirm q1"),
  });
  expect(existsSync(join(crew.root, "old.txt"))).toBe(true);
});

function tipOf(crew: Crew): string {
  return crew.git("for-each-ref", "--format=%(refname)", "refs/heads/cox").trim();
}

test("Ctrl-C lets the agents of a run finish; a second one ends them, and no process is left", async () => {
  const never = `never-${process.pid}-${Date.now()}`;
  const crew = new Crew({
    tasks: "- [ ] one",
    script: { one: [[held(never)]] },
    config: ['verify: "true"'],
  });
  const running = crew.start("run", "plan.md", "--yes");
  await crew.recorded("agent_dispatched");
  while (spawnSync("pgrep", ["-f", never]).status !== 0) await sleep(50);
  running.child.kill("SIGINT");
  await crew.recorded("run_paused");
  expect(running.child.exitCode).toBe(null);
  running.child.kill("SIGINT");
  const ended = await running.ended;
  expect(ended.exitCode, ended.stderr).toBe(130);
  expect(ended.stderr).toMatch(/Running turns finish[\s\S]*Ending agents and verify commands/);
  expect(crew.events().map(({ event }) => event)).toEqual(
    expect.arrayContaining(["run_stopped", "agent_cancelled"]),
  );
  const left = spawnSync("pgrep", ["-f", never], { encoding: "utf8" });
  expect(left.stdout).toBe("");
});

test("a run that came with a clone was not approved by this user: nothing of it is run without a yes", async () => {
  const crew = new Crew({
    tasks: "- [ ] one",
    script: { one: [asks, work("one.txt")] },
    config: ['verify: "true"'],
  });
  expect((await crew.cox("run", "plan.md", "--yes")).exitCode).toBe(3);
  const before = crew.events().length;
  // The same folder, as seen by another user who has not trusted anything yet.
  const stranger = {
    cwd: crew.root,
    env: { ...crew.env, XDG_STATE_HOME: join(crew.env.HOME ?? "", "other") },
  };
  const answered = await cox(["answer", "q1", "yes"], stranger);
  expect(answered).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("RUN_NOT_APPROVED") });
  const resumed = await cox(["resume"], stranger);
  expect(resumed).toMatchObject({
    exitCode: 3,
    stderr: expect.stringMatching(/not approved[\s\S]*NEEDS_YES/),
  });
  expect(crew.events()).toHaveLength(before);
  expect((await cox(["resume", "--yes"], stranger)).exitCode).toBe(3);
  expect((await cox(["answer", "q1", "8080"], stranger)).exitCode).toBe(0);
});
