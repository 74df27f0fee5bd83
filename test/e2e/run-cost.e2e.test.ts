/** The cost of a run when it is unknown, or known in part, and what a money budget is worth then. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { needsPseudoTerminal, onTerminal } from "./pseudo-terminal.ts";
import { RunWorld } from "./run-world.ts";

const planWith = (budget: string) =>
  `---\nverify: test -e README.md\naudit: none\nbudget: ${budget}\nland: never\nactive-developers: 1\n---\n# Two\n\n## Tasks\n- [ ] one\n- [ ] two\n`;
const works = 'cat > /dev/null\necho x > "$COX_TASK.txt"\n';
const silent = `${works}echo "Done."\n`;
const reports = `${works}echo 'COX USAGE: {"input_tokens":100,"output_tokens":20,"usd":0.25}'\necho "Done."\n`;
/** Reports its cost in one turn, and unreadably in the other. */
const halfReports = `${works}[ "$COX_TASK" = one ] && echo 'COX USAGE: {"usd":0.15}' || echo 'COX USAGE: {"usd":-1}'\necho "Done."\n`;
const files = { "README.md": "Hello.\n" };

test("cox check warns of a budget in money that could not end the run, and cox run --no-input refuses it", async () => {
  const world = new RunWorld({ plan: planWith("1 USD"), agents: { dev: silent }, files });
  const checked = await world.cox("check", "plan.md");
  expect(checked.stdout).toContain("! COST_UNKNOWN  .coxswain/config.yaml:");
  expect(checked.stdout).toContain("limit turns or time too: budget: 1 USD, 10 turns");
  const approved = await world.cox("approve", "plan.md", "--yes");
  expect(approved.stdout).toContain("the cost of dev is unknown");
  const { exitCode, stderr } = await world.cox("run", "plan.md", "--yes", "--no-input");
  expect(exitCode).toBe(2);
  expect(stderr).toContain("BUDGET_UNCOUNTED");
  expect(stderr).toContain("budget: 1 USD, 10 turns");
  expect(world.findRun()).toBeUndefined();
  expect(await world.json("run", "plan.md", "--yes")).toMatchObject({
    ok: false,
    errors: [{ code: "BUDGET_UNCOUNTED" }],
  });
});

test("on a terminal cox run asks for the missing limit, and ignores what was typed before the question", async (context) => {
  needsPseudoTerminal(context);
  const world = new RunWorld({ plan: planWith("1 USD"), agents: { dev: silent }, files });
  const { root, env } = world;
  const ahead = "3 turns\n5 turns\n";
  const reactions = [
    { when: "At most how many turns", type: "20 turns\n" },
    { when: "budget 1 USD, 20 turns", type: "" },
    { when: "Start?", type: "y\n" },
  ];
  const args = ["run", "plan.md"];
  const ended = onTerminal(args, { cwd: root, env: { ...process.env, ...env }, ahead, reactions });
  expect(ended, ended.output).toMatchObject({ unused: 0 });
  const { spent, limit } = await world.json("status");
  expect(limit).toMatchObject({ usd_micros: 1_000_000, turns: 20 });
  expect(spent).toMatchObject({ turns: 2, usd_micros: null, usd_known: false });
});

test("an unreported cost is shown as unknown on every screen, never as zero", async () => {
  const world = new RunWorld({ plan: planWith("1 USD, 20 turns"), agents: { dev: silent }, files });
  const run = await world.cox("run", "plan.md", "--yes");
  expect(run.exitCode).toBe(0);
  const texts = [
    run.stdout + run.stderr,
    (await world.cox("status")).stdout,
    (await world.cox("stats")).stdout,
    (await world.cox("log", "--level", "3")).stdout,
    readFileSync(join(root(world), "progress.md"), "utf8"),
  ];
  for (const text of texts) {
    expect(text).toContain("unknown");
    expect(text).not.toContain("$0");
  }
  const state = JSON.parse(readFileSync(join(root(world), "state.json"), "utf8"));
  expect(state.spent).toMatchObject({ usd_micros: null, usd_known: false });
  expect(await world.json("stats")).toMatchObject({ run: { total: { usd_micros: null, usd_known: false } } });
});

test("an agent's usage report is counted and left out of its reply, and its next budget in money needs no other limit", async () => {
  const world = new RunWorld({ plan: planWith("1 USD, 20 turns"), agents: { dev: reports }, files });
  expect((await world.cox("run", "plan.md", "--yes")).exitCode).toBe(0);
  const status = await world.cox("status");
  expect(status.stdout).toContain("$0.50 of $1 · 240 tokens");
  const [turn] = world.eventsOf("agent_dispatched");
  const reply = readFileSync(join(root(world), "turns", String(turn?.turn), "reply.txt"), "utf8");
  expect(reply).toBe("Done.\n");
  world.write({ "plan.md": planWith("1 USD") });
  expect((await world.cox("check", "plan.md")).stdout).not.toContain("COST_UNKNOWN");
  expect((await world.cox("run", "plan.md", "--yes", "--new", "--no-input")).exitCode).toBe(0);
});

test("an unreadable usage report makes the sum a lower bound, and is logged", async () => {
  const world = new RunWorld({ plan: planWith("1 USD, 20 turns"), agents: { dev: halfReports }, files });
  expect((await world.cox("run", "plan.md", "--yes")).exitCode).toBe(0);
  expect((await world.cox("status")).stdout).toContain("at least $0.15 of $1");
  const log = await world.cox("log");
  expect(log.stdout).toMatch(/reported its usage in a form that cannot be read.*usd must be a number/);
  const transcript = await world.cox("transcript", "two");
  expect(transcript.stdout).toContain("AGENT_USAGE_UNREAD");
  const stats = await world.json("stats");
  expect(stats).toMatchObject({ run: { total: { usd_micros: 150_000, usd_known: false } } });
  // An agent that did not report last time has yet to prove that it does.
  world.write({ "plan.md": planWith("1 USD") });
  const again = await world.cox("run", "plan.md", "--yes", "--new", "--no-input");
  expect(again.exitCode).toBe(2);
});

test("cox resume with a new budget in money asks for a limit of turns or time too", async () => {
  const plan = planWith("1 USD").replace("budget: 1 USD\n", "");
  const world = new RunWorld({ plan, agents: { dev: "" }, files });
  const release = join(world.folder, "release");
  const patient = `cat > /dev/null\nwhile [ ! -e ${release} ]; do sleep 0.1; done\necho x > "$COX_TASK.txt"\n`;
  writeFileSync(join(world.folder, "agents/dev.sh"), `${patient}echo "Done."\n`);
  const begun = world.start("run", "plan.md", "--yes");
  onTestFinished(() => void begun.child.kill("SIGKILL"));
  while (world.findRun() === undefined || world.eventsOf("agent_started").length < 1) await sleep(20);
  begun.child.kill("SIGKILL");
  await begun.ended;
  const refused = await world.cox("resume", "--budget", "1 USD");
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toMatch(/cox resume --budget "1 USD, \d+ turns"/);
  writeFileSync(release, "");
  expect((await world.cox("resume", "--budget", "1 USD, 9 turns")).exitCode).toBe(0);
  // The turn that the killed process had begun cost something, but nobody knows how much.
  expect((await world.cox("status")).stdout).toContain("cost unknown (limit $1)");
});

function root(world: RunWorld): string {
  return join(world.root, ".coxswain/runs", world.findRun() ?? "");
}
