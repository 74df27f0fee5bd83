/** Agents that fail in every possible way: each failure has a name in the log, and costs one attempt and nothing else. */
import { expect, test } from "vitest";
import { opensSeen, RunWorld } from "./run-world.ts";

/** The first turn of each task fails in its own way. */
const failing = `cat > /dev/null
work() { echo "$COX_TASK" > "$COX_TASK.txt"; echo "Done."; exit $1; }
mkdir "$HOME/seen/$COX_TASK" 2> /dev/null || work 0
case $COX_TASK in
  exits) work 1 ;;
  dies) kill -9 $$ ;;
  endless) while :; do echo still; sleep 0.3; done ;;
  silent) sleep 600 ;;
  floods) yes | head -c 80000000 ;;
  lazy) echo "I have created lazy.txt." ;;
  babbles) echo "$COX_TASK" > babbles.txt
    printf '\`\`\`json %s\\n{"file_operations": [{"operation": "crate"}]}\\n\`\`\`\\n' "$COX_FENCE" ;;
esac
`;
const tasks = ["exits", "dies", "endless", "silent", "floods", "lazy", "babbles"];

const settings =
  "verify: test -f README.md\naudit: none\nactive-developers: 7\nturn-attempts: 9\nreply-attempts: 9\n";
const plan =
  `---\n${settings}stall-timeout: 4 s\n---\n## Tasks\n${tasks.map((task) => `- [ ] ${task}\n`).join("")}`.replace(
    "endless\n",
    "endless\n  - Timeout: 5 s\n",
  );

test("every failure of a turn is named, and the next turn does the task", async () => {
  const world = new RunWorld({
    plan,
    agents: { dev: failing },
    config: opensSeen,
    files: { "README.md": "Here.\n" },
  });
  const { exitCode, stdout, stderr } = await world.cox("run", "plan.md", "--yes", "--json");
  expect(exitCode, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ ending: "done" });
  expect(world.committedTasks().sort()).toEqual([...tasks].sort());
  for (const task of tasks) expect(world.show(`${task}.txt`)).toBe(task);

  const crashed = Object.fromEntries(world.eventsOf("agent_crashed").map(({ turn, code }) => [turn, code]));
  expect(crashed).toEqual({
    "exits.1.1": "AGENT_EXIT",
    "dies.1.1": "AGENT_SIGNAL",
    "floods.1.1": "AGENT_OUTPUT_LIMIT",
  });
  const late = Object.fromEntries(world.eventsOf("agent_timeout").map(({ turn, limit }) => [turn, limit]));
  expect(late).toEqual({ "endless.1.1": "wall", "silent.1.1": "stall" });
  const refused = world.eventsOf("reply_refused").map(({ task, problems }) => [task, problems]);
  expect(Object.fromEntries(refused)).toMatchObject({
    lazy: [{ code: expect.any(String), hint: expect.any(String) }],
    babbles: expect.arrayContaining([expect.objectContaining({ hint: expect.any(String) })]),
  });
  expect(world.processes()).toEqual([]);
});

const one = (front: string) => `---\n${front}---\n## Tasks\n- [ ] one\n`;

test("an agent that is not installed costs its attempts, and then a person is asked", async () => {
  const world = new RunWorld({ plan: one('verify: "true"\nturn-attempts: 2\n') });
  const config =
    "agents:\n  dev:\n    role: developer\n    driver: command\n    command: [no-such-agent, --now]\n";
  world.write({ ".coxswain/config.yaml": config });
  const { exitCode, stdout } = await world.cox("run", "plan.md", "--yes", "--no-input", "--json");
  expect(exitCode, stdout).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ ending: "waiting" });
  expect(world.eventsOf("agent_crashed")).toMatchObject([
    { code: "AGENT_SPAWN", message: expect.stringContaining("no-such-agent") },
    { code: "AGENT_SPAWN" },
  ]);
  expect(world.eventsOf("question_asked")).toMatchObject([{ task: "one" }]);
  const questions = await world.cox("questions", "--json");
  expect(JSON.parse(questions.stdout)).toMatchObject({ ok: true });
  const why = await world.cox("why", "one");
  expect(why.stdout).toContain("no-such-agent");
});

test("work that an auditor refuses is corrected with the auditor's findings, and judged again", async () => {
  const developer = `cat > "$HOME/seen/prompt-$COX_ATTEMPT"
echo "version $COX_ATTEMPT" > one.txt; echo "Done."
`;
  const auditor = `cat > /dev/null
grep -q "version 1" one.txt || { echo "All is well."; echo "AUDIT PASSED - one"; exit 0; }
echo "It says version 1 and must not."; echo "AUDIT FAILED - one"
`;
  const world = new RunWorld({
    plan: one('verify: "true"\n'),
    agents: { dev: developer, judge: auditor },
    roles: { judge: "auditor" },
    config: opensSeen,
  });
  const { exitCode, stderr } = await world.cox("run", "plan.md", "--yes");
  expect(exitCode, stderr).toBe(0);
  expect(world.eventsOf("auditor_fail")).toMatchObject([{ attempt: 1, by: "judge" }]);
  expect(world.eventsOf("audit_passed")).toMatchObject([{ attempt: 2, by: "judge" }]);
  expect(world.show("one.txt")).toBe("version 2");
  expect(world.read(`${world.home}/seen/prompt-2`)).toContain("It says version 1 and must not.");
});

test("when every attempt fails its verification the user is asked, and a script gets exit code 3", async () => {
  const world = new RunWorld({ plan: one("verify: test -f never.txt\naudit-attempts: 2\n") });
  const { exitCode, stdout } = await world.cox("run", "plan.md", "--yes", "--no-input", "--json");
  expect(exitCode, stdout).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ ending: "waiting" });
  expect(world.eventsOf("verification_failed").map(({ work }) => work)).toMatchObject([
    { of: "base" },
    { of: "task", attempt: 1 },
    { of: "task", attempt: 2 },
  ]);
  expect(world.eventsOf("question_asked")).toHaveLength(1);
  expect(world.committedTasks()).toEqual([]);
});

test("a used-up budget of turns ends cox run with exit code 4, and a higher budget lets the run continue", async () => {
  const world = new RunWorld({
    plan: '---\nverify: "true"\nbudget: 1 turns\n---\n## Tasks\n- [ ] one\n- [ ] two\n',
  });
  const held = await world.cox("run", "plan.md", "--yes", "--json");
  expect(held.exitCode, held.stdout).toBe(4);
  expect(JSON.parse(held.stdout)).toMatchObject({ ending: "paused" });
  expect(world.eventsOf("agent_dispatched")).toHaveLength(1);
  const resumed = await world.cox("resume", "--budget", "5 turns", "--json");
  expect(resumed.exitCode, resumed.stdout).toBe(0);
  expect(world.committedTasks().sort()).toEqual(["one", "two"]);
});
