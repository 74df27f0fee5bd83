/** Verify commands that hang, are stopped, or print a lot: what a person sees of them, and what is counted. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { folderWith } from "./folder.ts";
import { RunWorld } from "./run-world.ts";

const one = (settings: string) => `---\naudit: none\n${settings}---\n## Tasks\n- [ ] one\n`;

test("a verify command over verify-timeout is ended with all it started, and reported as such", async () => {
  const world = new RunWorld({
    plan: one(
      "verify: echo waiting; sleep 40 & sleep 40; echo never\nverify-timeout: 1 s\naudit-attempts: 1\n",
    ),
  });
  expect((await world.cox("run", "plan.md", "--yes", "--no-input")).exitCode).toBe(3);
  expect(world.eventsOf("auditor_fail")).toMatchObject([
    {
      findings: [
        {
          code: "VERIFY_TIMEOUT",
          message: expect.stringContaining("did not finish within 1 s (verify-timeout)"),
        },
      ],
    },
  ]);
  expect(world.processes()).toEqual([]);
  const questions = await world.cox("questions");
  expect(questions.stdout).toMatch(/did not finish within 1 s[\s\S]*What\s+now\?[\s\S]*\n {4}waiting\n/);
  expect((await world.cox("why", "one", "--output")).stdout).toMatch(
    /✗ .*was ended after [01]s\n {4}waiting\n/,
  );
});

test("cox stop ends a running verify command, which counts as not run and is run again after a resume", async () => {
  const folder = folderWith();
  const go = join(folder, "go");
  const world = new RunWorld({ plan: one(`verify: test -e ${go} || sleep 300\n`) }, folder);
  const { child, ended } = world.start("run", "plan.md", "--yes");
  onTestFinished(() => void child.kill("SIGKILL"));
  while (world.findRun() === undefined || world.eventsOf("developer_ready_for_audit").length < 1)
    await sleep(20);
  while (world.processes().length === 0) await sleep(20);
  expect((await world.cox("stop")).exitCode).toBe(0);
  expect(await ended).toMatchObject({ exitCode: 130 });
  expect(world.processes()).toEqual([]);
  expect(world.desks()).not.toContainEqual(expect.stringMatching(/^verify\./));
  expect(world.eventsOf("verification_failed")).toEqual([]);
  expect(world.eventsOf("auditor_fail")).toEqual([]);
  writeFileSync(go, "");
  expect((await world.cox("resume")).exitCode).toBe(0);
  expect(world.eventsOf("agent_dispatched")).toHaveLength(1);
  expect(world.committedTasks()).toEqual(["one"]);
});

test("the output of a failing verify command is shown as lines: its end at once, all of it on demand", async () => {
  const world = new RunWorld({
    plan: one("verify: seq 1 100; echo the cause; exit 7\naudit-attempts: 1\n"),
  });
  const run = await world.cox("run", "plan.md", "--yes", "--no-input");
  expect(run.exitCode).toBe(3);
  const [why, log, all] = await Promise.all([
    world.cox("why", "one"),
    world.cox("log"),
    world.cox("why", "one", "--output"),
  ]);
  for (const { stdout } of [run, why, log]) expect(stdout).not.toContain("\\n");
  expect(why.stdout).toMatch(/\n {4}│ 100\n {4}│ the cause\n/);
  expect(why.stdout).toContain("cox why one --output");
  expect(log.stdout).toContain("exit code 7");
  expect(all.stdout).toContain(`    1\n    2\n`);
  expect(all.stdout).toMatch(/ {4}100\n {4}the cause\n/);
  const newest = await world.json("why", "--output");
  expect(newest).toMatchObject({ ok: true, task: "one", passed: false, commands: [{ exit: 7 }] });
  const other = await world.cox("why", "two", "--output");
  expect(other.exitCode).toBe(1);
});
