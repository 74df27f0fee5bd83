/** `cox transcript TASK --follow`: what agents say, as they say it, until the task is over. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { start } from "./program.ts";
import { RunWorld } from "./run-world.ts";

const plan = `---
verify: test -e build.txt
---
## Tasks
- [ ] Build
`;

const signal = (name: string) => `process.env.HOME + "/../state/coxswain/${name}"`;

/** Prints something, is held, prints something else; fails its first attempt. */
const agent = `
say("first " + turn + " with " + process.env.MY_TOKEN);
say("\\u001b[2Jcleared");
await until(${signal("go")} + "-" + turn);
say("last of " + turn);
if (turn !== "build.1.1") write("build.txt", "built\\n");
else write("other.txt", "x");
say("READY FOR AUDIT: build");
`;

/** A program whose output is checked while it runs. */
function following(world: RunWorld, ...args: string[]) {
  const { child, ended } = start(["transcript", "build", "--follow", ...args], {
    cwd: world.root,
    env: world.env,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (text) => {
      output += text;
    });
  const until = async (words: string) => {
    while (!output.includes(words)) {
      if (child.exitCode !== null) throw new Error(`it ended without ${words}: ${output}`);
      await sleep(20);
    }
  };
  return { child, ended, until, output: () => output };
}

async function begun(world: RunWorld) {
  const env = { MY_TOKEN: "correct-horse-battery" };
  const run = world.with({ env }).start("run", "plan.md", "--yes");
  while (!world.logText().includes("agent_dispatched")) await sleep(20);
  return run;
}

const release = (world: RunWorld, turn: string) => world.write({ [`../state/coxswain/go-${turn}`]: "" });

test("cox transcript --follow shows all turns of a task, masks secrets, escapes control characters, and ends with the task", async () => {
  const world = new RunWorld({ plan, agents: { dev: { node: agent, env: ["MY_TOKEN"] } } });
  const run = await begun(world);
  const person = following(world);
  const program = following(world, "--json");
  await person.until("first build.1.1");
  await program.until("first build.1.1");
  expect(person.output(), "it is told before the turn has ended").not.toContain("last of");
  release(world, "build.1.1");
  await person.until("first build.2.1");
  expect(person.output()).toContain("last of build.1.1");
  release(world, "build.2.1");

  const shown = await person.ended;
  expect((await run.ended).exitCode).toBe(0);
  expect(shown.exitCode).toBe(0);
  expect(shown.stdout).toMatch(/^build\.1\.1 {2}dev, developer\n/);
  expect(shown.stdout).toMatch(/\nbuild\.2\.1 {2}dev, developer\n/);
  expect(shown.stdout).toContain("first build.2.1 with [MY_TOKEN]\n");
  expect(shown.stdout).toContain("\\u001b[2Jcleared");
  expect(shown.stdout).not.toContain("\u001b");
  expect(shown.stdout.match(/last of build/g)).toHaveLength(2);

  const told = await program.ended;
  expect(told).toMatchObject({ exitCode: 0, stderr: "" });
  const lines = told.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.filter((line) => "agent" in line)).toMatchObject([
    { turn: "build.1.1" },
    { turn: "build.2.1" },
  ]);
  for (const turn of ["build.1.1", "build.2.1"]) {
    const { entries } = await world.json("transcript", turn);
    const followed = lines.filter((line) => line.turn === turn && "from" in line);
    expect(followed.map(({ turn: _, ...entry }) => entry)).toEqual(entries);
  }
  expect(told.stdout).not.toContain("correct-horse");
});

test("Ctrl-C ends cox transcript --follow and not the run; following one turn ends with that turn", async () => {
  const world = new RunWorld({ plan, agents: { dev: { node: agent, env: ["MY_TOKEN"] } } });
  const run = await begun(world);
  const left = following(world);
  await left.until("first build.1.1");
  left.child.kill("SIGINT");
  expect((await left.ended).exitCode).toBe(130);
  const { child, ended } = start(["transcript", "build.1.1", "--follow"], {
    cwd: world.root,
    env: world.env,
  });
  release(world, "build.1.1");
  const one = await ended;
  expect(child.exitCode).toBe(0);
  expect(one.stdout).toContain("last of build.1.1");
  expect(one.stdout).not.toContain("build.2.1");
  release(world, "build.2.1");
  expect((await run.ended).exitCode).toBe(0);
});

test("cox transcript --follow waits when no process works on the run, and refuses a task that will have no transcript", async () => {
  const asks = 'cat > /dev/null\necho "SEEKING DIVINE CLARIFICATION: which port?"\n';
  const world = new RunWorld({ plan: `${plan}- [x] Over\n`, agents: { dev: asks } });
  expect((await world.cox("run", "plan.md", "--yes")).exitCode).toBe(3);
  const waiting = following(world);
  await waiting.until("which port?");
  await waiting.until("No process is working");
  waiting.child.kill("SIGTERM");
  const { exitCode, stderr } = await waiting.ended;
  expect(exitCode).toBe(130);
  expect(stderr.match(/No process is working on the run\. Resume it: cox resume/g)).toHaveLength(1);
  expect(await world.cox("transcript", "over", "--follow")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("NO_TRANSCRIPT"),
  });
});
