/**
 * Agents that meet a limit, are not signed in, or do not fit a task: others take over, rests end, people are asked
 * once.
 */
import { expect, test } from "vitest";
import { RunWorld } from "./run-world.ts";

const plan = (...tasks: string[]) =>
  `---\nverify: test -f README.md\n---\n## Tasks\n${tasks.map((task) => `- [ ] ${task}\n`).join("")}`;
const works =
  '[{ write: { path: "$COX_TASK.txt", content: "by $COX_AGENT" } }, { say: "READY FOR AUDIT: $COX_TASK" }]';
const passes = '[{ say: "As it should be.\\nAUDIT PASSED - $COX_TASK" }]';
const script = (role: string, ...plays: string[]) =>
  `default:\n  ${role}:\n${plays.map((play) => `    - ${play}\n`).join("")}`;
const limited = "[{ session: s1 }, { fail: { code: AGENT_RATE_LIMIT, resetsInMs: 400 } }]";
const signedOut = "[{ fail: { code: AGENT_NOT_SIGNED_IN, message: 'one has no key: run one login' } }]";
const scripted = (name: string) => `  ${name}: { driver: scripted, script: crew/${name}.yaml }\n`;

function worldOf(scripts: Readonly<Record<string, string>>, { roles = "", tasks = ["a"] } = {}): RunWorld {
  const names = Object.keys(scripts);
  const files = Object.fromEntries(names.map((name) => [`crew/${name}.yaml`, scripts[name] ?? ""]));
  const config = `agents:\n${names.map(scripted).join("")}${roles}`;
  return new RunWorld({
    plan: plan(...tasks),
    agents: {},
    config,
    files: { "README.md": "Here.\n", ...files },
  });
}

test("when the first developer meets a limit the second one does the task, and a third one judges it", async () => {
  const world = worldOf(
    {
      one: script("developer", limited),
      two: `${script("developer", works)}  auditor:\n    - ${passes}\n`,
      three: script("auditor", passes),
    },
    { roles: "roles: { developer: [one, two], auditor: [two, three] }\n" },
  );
  const { exitCode, stdout, stderr } = await world.cox("run", "plan.md", "--yes");
  expect(exitCode, stdout + stderr).toBe(0);
  const sent = world.eventsOf("agent_dispatched").map(({ agent, role }) => `${role} ${agent}`);
  expect(sent).toEqual(["developer one", "developer two", "auditor three"]);
  expect(world.eventsOf("agent_rested")).toMatchObject([{ agent: "one", code: "AGENT_RATE_LIMIT" }]);
  expect(world.show("a.txt")).toBe("by two");
  expect(world.git("log", "-1", "--format=%an", `cox/${world.run}`)).toContain("two");
  expect((await world.cox("log")).stdout).toContain("one rests for");
});

test("a run's only developer rests after a limit, and then resumes the same conversation", async () => {
  const world = worldOf({ one: script("developer", limited, works) });
  const { exitCode, stderr } = await world.cox("run", "plan.md", "--yes", "--no-input");
  expect(exitCode, stderr).toBe(0);
  expect(world.eventsOf("agent_dispatched").map(({ turn, resumes }) => [turn, resumes])).toEqual([
    ["a.1.1", undefined],
    ["a.1.2", "s1"],
  ]);
  expect(world.eventsOf("agent_returned")).toEqual([{ agent: "one", account: "scripted one" }]);
  expect(world.eventsOf("task_failed")).toEqual([]);
  const [first, second] = ["a.1.1", "a.1.2"].map((turn) => world.read(world.path(`turns/${turn}/prompt.md`)));
  expect(first).toContain("# Your task: a");
  expect(second).toMatch(/^# Go on with your task: a\n/);
  expect(second).toContain("Your last turn ended before you replied.");
  expect(second).not.toContain("## How we work together");
});

test("the user is asked once about an agent that is not signed in, and cox resume tries it again", async () => {
  const world = worldOf({ one: script("developer", signedOut) }, { tasks: ["a", "b", "c"] });
  const { exitCode, stdout } = await world.cox("run", "plan.md", "--yes", "--no-input");
  expect(exitCode, stdout).toBe(3);
  const [question] = world.eventsOf("question_asked");
  expect(world.eventsOf("question_asked")).toHaveLength(1);
  expect(question).toMatchObject({ agents: ["one"] });
  expect((await world.cox("questions")).stdout).toContain("one has no key: run one login");
  const status = await world.json("status");
  expect(status).toMatchObject({ away: [{ agent: "one", standing: "out", code: "AGENT_NOT_SIGNED_IN" }] });
  const others = ["a", "b", "c"].filter((task) => task !== question?.task);
  const { stdout: why } = await world.cox("why", others[0] ?? "");
  expect(why).toContain("one is out: not signed in");

  world.write({ "crew/one.yaml": script("developer", works) });
  const resumed = await world.cox("resume", "--no-input");
  expect(resumed.exitCode, resumed.stdout + resumed.stderr).toBe(0);
  expect(world.committedTasks().sort()).toEqual(["a", "b", "c"]);
  expect(world.eventsOf("task_failed")).toEqual([]);
});

test("a task that one model refuses goes to the next, and after the last to a person", async () => {
  const refuses = "[{ fail: { code: AGENT_REFUSED, message: the model declined } }]";
  // Keyed by attempt, because calls are counted only while a process lives.
  const one = `default:\n  developer:\n    attempts:\n      1:\n        - ${refuses}\n        - ${works}\n`;
  const world = worldOf({ one });
  const { exitCode } = await world.cox("run", "plan.md", "--yes", "--no-input");
  expect(exitCode).toBe(3);
  expect((await world.cox("answer", "q1", "without the poem")).exitCode).toBe(0);
  expect((await world.cox("resume", "--no-input")).exitCode).toBe(0);
});

test("agents that share the account of an agent at its limit rest with it", async () => {
  const member = (name: string) =>
    `  ${name}: { driver: scripted, script: crew/${name}.yaml, account: work }\n`;
  const world = new RunWorld({
    plan: "---\nverify: test -f README.md\nactive-developers: 1\n---\n## Tasks\n### a\n- Agent: one\n### b\n- Agent: two\n",
    agents: {},
    config: `agents:\n${member("one")}${member("two")}`,
    files: {
      "README.md": "Here.\n",
      "crew/one.yaml": script("developer", limited, works),
      "crew/two.yaml": script("developer", works),
    },
  });
  const { exitCode, stderr } = await world.cox("run", "plan.md", "--yes", "--no-input");
  expect(exitCode, stderr).toBe(0);
  const told = ["agent_dispatched", "agent_rested", "agent_returned"];
  const names = world.events().flatMap(({ event }) => (told.includes(event) ? [event] : []));
  expect(names).toEqual([
    ...["agent_dispatched", "agent_rested", "agent_returned"],
    ...["agent_dispatched", "agent_dispatched"],
  ]);
  expect(world.eventsOf("agent_rested")).toMatchObject([{ agent: "one", account: "work", at_once: 1 }]);
  expect((await world.cox("log")).stdout).toContain("all of account work");
});
