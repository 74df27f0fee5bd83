/** Watching a run in progress: it disturbs nothing, and watching ends when the run does. */
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { needsPseudoTerminal, onTerminal } from "./pseudo-terminal.ts";
import { RunWorld } from "./run-world.ts";

/** Its two tasks wait for a file that the test creates. */
class WaitingRun extends RunWorld {
  readonly gate = join(this.signals, "go");

  constructor() {
    const agent = `await until(process.env.HOME + "/../state/coxswain/go"); write(task + ".txt", task); say("READY FOR AUDIT: " + task);`;
    super({
      plan: "# Two things\n\n## Tasks\n- [ ] One\n- [ ] Two\n",
      agents: { dev: { node: agent } },
      config: 'verify: "true"\n',
    });
  }

  go(): void {
    writeFileSync(this.gate, "");
  }
}

async function bothAtWork(run: RunWorld, { child, ended }: ReturnType<RunWorld["start"]>): Promise<void> {
  while ((await run.json("status")).agents?.length !== 2) {
    if (child.exitCode !== null) throw new Error(`the run ended early: ${(await ended).stderr}`);
    await sleep(50);
  }
}

test("status, log --follow and status --watch see a run at work, and end when it does", async () => {
  const run = new WaitingRun();
  const running = run.start("run", "plan.md", "--yes");
  await bothAtWork(run, running);
  expect(await run.json("status")).toMatchObject({ ok: true, alive: true, counts: { working: 2, done: 0 } });
  expect((await run.cox("why", "one")).stdout).toMatch(/dev works on it for \d+s/);
  expect((await run.cox("diff", "one")).stdout).toContain("its agent is at work");
  expect((await run.cox("log", "--repair", "--yes")).exitCode).toBe(6);

  const looks = [
    run.start("log", "--follow"),
    run.start("status", "--watch"),
    run.start("status", "-w", "--json"),
  ];
  await Promise.all(looks.map(({ child }) => new Promise((resolve) => child.stdout?.once("data", resolve))));
  run.go();
  expect((await running.ended).exitCode).toBe(0);
  const [followed, watched, documents] = await Promise.all(looks.map(({ ended }) => ended));
  expect(followed).toMatchObject({ exitCode: 0, stderr: "", stdout: (await run.cox("log")).stdout });
  expect(watched?.exitCode).toBe(0);
  expect(watched?.stdout).toMatch(/0 of 2 done[\s\S]*2 of 2 done/);
  const seen = (documents?.stdout ?? "")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(seen[0]).toMatchObject({ alive: true, counts: { working: 2 } });
  expect(seen.at(-1)).toMatchObject({ alive: false, counts: { done: 2 } });
});

test("a reader of log --follow that goes away does not disturb the run, and Ctrl-C ends status --watch with exit 130", async () => {
  const run = new WaitingRun();
  const running = run.start("run", "plan.md", "--yes");
  await bothAtWork(run, running);
  const reader = run.start("log", "--follow");
  reader.child.stdout?.once("data", () => reader.child.stdout?.destroy());
  await sleep(700);
  const watcher = run.start("status", "--watch");
  await new Promise((resolve) => watcher.child.stdout?.once("data", resolve));
  watcher.child.kill("SIGINT");
  expect((await watcher.ended).exitCode).toBe(130);
  run.go();
  expect((await running.ended).exitCode).toBe(0);
  expect((await reader.ended).exitCode).toBe(0);
});

test("on a terminal status --watch replaces what it showed, and gives the cursor back", async (context) => {
  needsPseudoTerminal(context);
  const run = new WaitingRun();
  const running = run.start("run", "plan.md", "--yes");
  await bothAtWork(run, running);
  // Waiting for the terminal blocks this process, so another one opens the gate.
  const opener = spawn("sh", ["-c", 'sleep 4; : > "$0"', run.gate]);
  const env = { ...process.env, ...run.env };
  const { exitCode, output } = onTerminal(["status", "--watch"], { cwd: run.root, env, reactions: [] });
  await new Promise((resolve) => (opener.exitCode === null ? opener.once("close", resolve) : resolve(0)));
  expect(exitCode).toBe(0);
  expect(output).toContain("\x1b[?25l");
  expect(output.lastIndexOf("\x1b[?25h")).toBeGreaterThan(output.lastIndexOf("\x1b[J"));
  const [last = ""] = output.split("\x1b[?25h").slice(-1);
  expect(last).toContain("2 of 2 done");
  expect(last.match(/Two things/g)).toHaveLength(1);
  expect((await running.ended).exitCode).toBe(0);
  expect(existsSync(run.gate)).toBe(true);
});
