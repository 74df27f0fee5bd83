/** The transcript of a turn: available during the turn and after a kill, and without the agent's secrets. */
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { RunWorld } from "./run-world.ts";

const plan = `---
verify: "true"
---
## Tasks
- [ ] Build
`;

const speaks = `
say("I begin with " + process.env.MY_TOKEN);
process.stderr.write("a key: AKIAIOSFODNN7EXAMPLE\\n");
write("build.txt", "built\\n");
say("READY FOR AUDIT: build");
`;

test("cox transcript shows a turn from its first line to its last, without secrets", async () => {
  const world = new RunWorld({ plan, agents: { dev: { node: speaks, env: ["MY_TOKEN"] } } });
  const env = { MY_TOKEN: "correct-horse-battery" };
  const { exitCode, stderr } = await world.with({ env }).cox("run", "plan.md", "--yes");
  expect(exitCode, stderr).toBe(0);
  const { turn, agent, path, entries, others } = await world.json("transcript", "build");
  expect({ turn, agent, others }).toEqual({ turn: "build.1.1", agent: "dev", others: [] });
  const rows = entries.map(({ from, text }: { from: string; text: string }) => `${from}: ${text}`);
  expect(rows.filter((row: string) => !row.startsWith("stderr"))).toEqual([
    "stdout: I begin with [MY_TOKEN]",
    "stdout: READY FOR AUDIT: build",
    "cox: the turn ended with a reply",
  ]);
  expect(rows).toContain("stderr: a key: [an AWS access key]");
  expect(readFileSync(`${world.root}/${path}`, "utf8")).not.toContain("correct-horse");

  const { stdout } = await world.cox("transcript", "build.1.1");
  expect(stdout).toMatch(/^build\.1\.1 {2}dev, developer$/m);
  expect(stdout).toMatch(/^ +\d+s {2}out {5}READY FOR AUDIT: build$/m);
  const why = await world.cox("why", "build");
  expect(why.stdout).toMatch(
    /cox transcript build +what the agent said and did: \.coxswain\/runs\/.+transcript\.jsonl/,
  );
});

test("a transcript has what was said before cox was killed", async () => {
  const agent = 'say("so far so good"); await new Promise((go) => setTimeout(go, 60_000));';
  const world = new RunWorld({ plan, agents: { dev: { node: agent } } });
  const running = world.start("run", "plan.md", "--yes");
  const file = () => world.path("turns/build.1.1/transcript.jsonl");
  while (world.findRun() === undefined || !existsSync(file()) || readFileSync(file(), "utf8") === "")
    await sleep(20);
  running.child.kill("SIGKILL");
  await running.ended;
  const { entries } = await world.json("transcript", "build");
  expect(entries).toMatchObject([{ from: "stdout", text: "so far so good" }]);
  // The next process ends what the dead one left running.
  await world.cox("stop");
});

test("a turn without a transcript is reported as such", async () => {
  const waiting = `${plan}- [ ] Later\n  - Needs: build\n`;
  const world = new RunWorld({
    plan: waiting,
    agents: { dev: "cat > /dev/null; exit 1" },
    config: "turn-attempts: 1\n",
  });
  await world.cox("run", "plan.md", "--yes");
  const tries = [
    { args: ["transcript"], code: 2, words: "no task was named" },
    { args: ["transcript", "nothing"], code: 1, words: "nothing" },
    { args: ["transcript", "later"], code: 1, words: 'there is no transcript of "later"' },
  ];
  for (const { args, code, words } of tries) {
    const { exitCode, stderr } = await world.cox(...args);
    expect(stderr).toContain(words);
    expect(exitCode).toBe(code);
  }
});
