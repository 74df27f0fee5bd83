/** A setting without effect yet is not offered anywhere, and its use is reported. A profile's timeout has an effect. */
import { expect, test } from "vitest";
import { noEffectYet } from "../../src/std/no-effect-yet.ts";
import { RunWorld, writesItsTask } from "./run-world.ts";

const settings = Object.keys(noEffectYet.setting);

const plan = `---
verify: "true"
tick: true
---
## Tasks

### One
- Reads: src/**
- Escalate-To: ana
`;

test("a setting or field without effect gets a warning from cox check and cox approve, and stops no run", async () => {
  const world = new RunWorld({ plan, config: "usage-command: touch used\nloop-threshold: 2\n" });
  const checked = await world.cox("check", "plan.md");
  expect(checked.exitCode).toBe(0);
  const approved = await world.cox("approve", "plan.md", "--yes");
  expect(approved.exitCode).toBe(0);
  for (const { stdout } of [checked, approved])
    for (const name of ["tick", "Reads", "Escalate-To", "usage-command", "loop-threshold"])
      expect(stdout).toContain(`${name} has no effect yet: `);
  // Nobody has to approve a command that is never run.
  expect(approved.stdout).not.toMatch(/^ {2}usage-command /m);
  expect((await world.json("check", "plan.md")).warnings).toContainEqual(
    expect.objectContaining({ code: "PLAN_NO_EFFECT", line: 3, column: 1 }),
  );
  expect(await world.cox("run", "plan.md")).toMatchObject({ exitCode: 0 });
  expect(world.committedTasks()).toEqual(["one"]);

  const { stdout } = await world.cox("status", "--settings");
  const rows = stdout.split("\n").map((line) => line.split(" ")[0]);
  expect(rows).toContain("turn-timeout");
  for (const name of settings) expect(rows).not.toContain(name);
});

test("a setting or reply property without effect is in no configuration that cox init writes and in no schema", async () => {
  const world = new RunWorld({ agents: {}, files: { "a.txt": "a" } });
  expect((await world.cox("init", "--yes")).exitCode).toBe(0);
  const written = world.read(".coxswain/config.yaml");
  expect(written).toMatch(/^# turn-timeout: /m);
  for (const name of settings) expect(written).not.toMatch(new RegExp(`^# ${name}:`, "m"));
  const { properties } = JSON.parse((await world.cox("schema", "reply")).stdout);
  expect(properties).toHaveProperty("outputs");
  for (const place of Object.keys(noEffectYet["reply property"])) {
    const name = place.replace("file_operations[].", "");
    expect(JSON.stringify(properties)).not.toContain(`"${name}"`);
  }
});

const timed = (timeout: string) =>
  `---\ndescription: Writes files\nx-cox:\n  timeout: ${timeout}\n---\nYou work.\n`;

test("the timeout of a profile ends a turn of its agents, and cox agents shows it and what the profile is for", async () => {
  const world = new RunWorld({
    plan: '---\nverify: "true"\nturn-attempts: 1\n---\n## Tasks\n- [ ] slow\n- [ ] long\n  - Timeout: 5 m\n',
    agents: { dev: `[ "$COX_TASK" = long ] || sleep 600\n${writesItsTask}` },
    files: { ".coxswain/agents/dev.md": timed("4 s") },
  });
  expect((await world.cox("agents")).stdout).toMatch(/dev +developer +command +turns up to 4 s\n/);
  expect((await world.json("agents")).agents).toMatchObject([
    { agent: "dev", timeout_ms: 4000, description: "Writes files" },
  ]);
  const ended = await world.cox("run", "plan.md", "--yes");
  expect(ended.exitCode, ended.stdout + ended.stderr).toBe(3);
  const dispatched = world.eventsOf("agent_dispatched");
  expect(dispatched).toContainEqual(expect.objectContaining({ task: "slow", timeout_ms: 4000 }));
  expect(dispatched).toContainEqual(expect.objectContaining({ task: "long", timeout_ms: 300_000 }));
  expect(world.eventsOf("agent_timeout")).toMatchObject([{ limit: "wall" }]);
  expect(world.committedTasks(), ended.stdout + ended.stderr).toEqual(["long"]);
});

test("a turn-timeout does not end a turn whose profile allows it longer", async () => {
  const world = new RunWorld({
    plan: '---\nverify: "true"\nturn-timeout: 1 s\n---\n## Tasks\n- [ ] one\n',
    agents: { dev: `sleep 2\n${writesItsTask}` },
    files: { ".coxswain/agents/dev.md": timed("10 m") },
  });
  expect((await world.cox("run", "plan.md", "--yes")).exitCode).toBe(0);
  expect(world.eventsOf("agent_dispatched")).toMatchObject([{ timeout_ms: 600_000 }]);
  expect(world.eventsOf("agent_timeout")).toEqual([]);
});
