/** Settings typed after a command: they apply to one run, override every file, and are part of what is approved. */
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { offeredSettingKeys } from "../../src/plan/settings.ts";
import { needsPseudoTerminal, onTerminal } from "./pseudo-terminal.ts";
import { RunWorld } from "./run-world.ts";

const plan = `---
active-developers: 2
verify: "false"
---
# As written

## Tasks

### one
- Verify: exit 7

### two
`;

const typed = ["--active-developers", "1", "--verify=true", "--title", "As typed", "--turn_timeout", "7 m"];

test("a setting typed on the command line wins over plan and task, is shown with its origin, and is kept by cox resume", async () => {
  const world = new RunWorld({ plan, config: "turn-timeout: 20 m\non-question: hold-all\n" });
  const { exitCode, stderr } = await world.cox("run", "plan.md", "--yes", ...typed);
  expect(exitCode, stderr).toBe(0);
  const [started] = world.eventsOf("run_started");
  expect(started).toMatchObject({
    title: "As typed",
    settings: { active_developers: 1, verify: ["true"], turn_timeout_ms: 420_000 },
    tasks: [{ verify: ["true"] }, { verify: ["true"] }],
  });

  const { settings } = await world.json("status", "--settings");
  const said = (name: string) => settings.find(({ setting }: { setting: string }) => setting === name);
  expect(said("active-developers")).toMatchObject({ text: "1", origin: "command line" });
  expect(said("verify")).toMatchObject({ value: ["true"], origin: "command line" });
  expect(said("on-question")).toMatchObject({ value: "hold-all", origin: "config" });
  const { stdout } = await world.cox("status", "--settings");
  expect(stdout).toMatch(/^turn-timeout +7 m +command line$/m);
});

test("a resumed run keeps the settings that were typed, and does not report them as a changed configuration", async () => {
  const asks = 'cat > /dev/null\necho "SEEKING DIVINE CLARIFICATION: which port?"\n';
  const world = new RunWorld({ plan, agents: { dev: asks } });
  expect((await world.cox("run", "plan.md", "--yes", "--audit-attempts", "9")).exitCode).toBe(3);
  const { stderr } = await world.cox("resume", "--no-input");
  expect(stderr).not.toContain("INPUTS_CHANGED");
  const { settings } = await world.json("status", "--settings");
  expect(settings).toContainEqual({
    setting: "audit-attempts",
    value: 9,
    text: "9",
    origin: "command line",
  });
  world.write({
    ".coxswain/config.yaml": `${world.read(".coxswain/config.yaml")}audit-attempts: 4\nland: never\n`,
  });
  expect((await world.cox("resume", "--no-input")).stderr, "a change that counts").toContain(
    "INPUTS_CHANGED",
  );
});

test("an approval covers the settings that were typed: another value needs another approval", async () => {
  const world = new RunWorld({ plan });
  const asked = await world.cox("run", "plan.md", "--verify", "true && true", "--no-input");
  expect(asked.exitCode).toBe(3);
  expect(asked.stderr).toContain("cox approve plan.md --verify 'true && true'");
  const shown = await world.cox("approve", "plan.md", "--verify", "true && true", "--yes");
  expect(shown.stdout).toContain("1 setting from the command line\n  verify: true && true\n");
  expect(shown.stdout).toMatch(/verify {10}true && true {2}new\n/);
  expect(shown.stdout, "what it replaces is not run").not.toContain("exit 7");
  expect(shown.stdout).toContain("Run it: cox run plan.md --verify 'true && true'");
  expect((await world.cox("run", "plan.md", "--verify", "true; true", "--no-input")).exitCode).toBe(3);
  expect((await world.cox("run", "plan.md", "--verify", "true && true", "--no-input")).exitCode).toBe(0);
});

test("the approval question shows the settings that were typed", (context) => {
  needsPseudoTerminal(context);
  const world = new RunWorld({ plan });
  const { output, exitCode } = onTerminal(["run", "plan.md", "--active-developers=1"], {
    cwd: world.root,
    env: { PATH: process.env.PATH, ...world.env },
    reactions: [{ when: "Start? [y/N]", type: "n\n" }],
  });
  const plain = stripVTControlCharacters(output);
  expect(plain).toContain("1 setting from the command line\r\n  active-developers: 1\r\n");
  expect(exitCode).toBe(1);
});

test.for([
  [
    ["run", "plan.md", "--active-developers", "0"],
    'active-developers must be a whole number from 1 to 64, not "0"',
  ],
  [["check", "plan.md", "--turn-timeout=soon"], "Write for example: --turn-timeout '15 m'"],
  [["approve", "plan.md", "--land", "ask", "--land", "auto"], "land must be one plain value"],
  [["run", "plan.md", "--activ-developers", "2"], "Did you mean: --active-developers"],
  [["status", "--land", "ask"], 'cox status has no option "--land"'],
] as const)("the arguments %j are refused with what to type", async ([args, words]) => {
  const world = new RunWorld({ plan });
  const { exitCode, stderr } = await world.cox(...args);
  expect(stderr).toContain(words);
  expect(exitCode).toBe(2);
  expect(world.findRun()).toBeUndefined();
});

test("cox check judges a plan together with the settings that are typed", async () => {
  const world = new RunWorld({ plan: "## Tasks\n- [ ] one\n" });
  expect((await world.cox("check", "plan.md")).stdout).toContain("PLAN_NO_VERIFY");
  expect((await world.cox("check", "plan.md", "--verify", "npm test")).exitCode).toBe(0);
  const ghost = await world.cox("check", "plan.md", "--verify", "npm test", "--agent", "ghost");
  expect(ghost.stdout).toContain("command line:1:21");
  expect(ghost.exitCode).toBe(1);
});

test("cox run --help lists every setting that is offered", async () => {
  const world = new RunWorld({});
  for (const command of ["run", "check", "approve"]) {
    const { stdout } = await world.cox(command, "--help");
    for (const key of offeredSettingKeys) expect(stdout).toContain(`--${key} `);
  }
});
