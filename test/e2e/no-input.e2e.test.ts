/** `--no-input`: even at a terminal nobody is asked. The command says what it needs instead. */
import { cpSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { commands } from "../../src/cli/table/commands.ts";
import { create, replyOf } from "../bad-inputs/row.ts";
import { needsPseudoTerminal, onTerminal } from "./pseudo-terminal.ts";
import { RunWorld } from "./run-world.ts";

let world: RunWorld;
const damaged = "a-damaged-run";

beforeAll(async () => {
  world = RunWorld.kept({
    plan: "# A plan\n\n## Tasks\n\n- [ ] one\n",
    config: "verify: 'true'\nland: never\n",
    files: { "other.md": "# Other\n\n## Tasks\n\n- [ ] two\n", "reply.md": replyOf(create("package.json")) },
  });
  expect((await world.cox("run", "plan.md", "--yes")).exitCode).toBe(0);
  const copy = join(world.root, ".coxswain/runs", damaged);
  cpSync(world.path("."), copy, { recursive: true, preserveTimestamps: true });
  const log = join(copy, "events.jsonl");
  writeFileSync(log, readFileSync(log, "utf8").replace('"agent_dispatched"', '"agent_dispatchet"'));
  utimesSync(join(copy, "plan.md"), 1, 1);
});

interface Try {
  args(): string[];
  /** A part of what it prints. */
  readonly says: string;
  readonly env?: () => Readonly<Record<string, string>>;
}

/** Each command in a situation where it would have asked. */
const tried: Readonly<Record<string, Try>> = {
  init: { args: () => ["--root", bare().root], says: "cox init --yes" },
  approve: { args: () => ["other.md"], says: "cox approve other.md --yes" },
  run: { args: () => ["other.md"], says: "NEEDS_APPROVAL" },
  resume: {
    args: () => [],
    says: "NEEDS_YES",
    env: () => ({ XDG_STATE_HOME: join(world.folder, "another-state") }),
  },
  log: { args: () => [damaged, "--repair"], says: "--yes" },
  rollback: { args: () => ["one"], says: "NEEDS_YES" },
  land: { args: () => [], says: "NEEDS_YES" },
  task: {
    args: () => ["add", "x", "--content", `key ${"AKIA"}IOSFODNN7EXAMPLE`, "--main-workflow", "bug-hunt"],
    says: "--yes",
  },
  apply: { args: () => ["reply.md"], says: "confirm all of it: --yes" },
  agents: { args: () => ["test", "dev"], says: "--yes" },
};

test("every command that takes --no-input is tried here", () => {
  const declares = commands.filter(({ options }) => options.some(({ name }) => name === "no-input"));
  expect(Object.keys(tried).sort()).toEqual(declares.map(({ name }) => name).sort());
});

test.for(Object.keys(tried))("cox %s --no-input asks no question, and says what to type", (name, context) => {
  needsPseudoTerminal(context);
  const { args, says, env } = tried[name] as Try;
  const { exitCode, output } = onTerminal([name, ...args(), "--no-input"], {
    cwd: world.root,
    env: { PATH: process.env.PATH, ...world.env, ...env?.() },
    reactions: [],
  });
  expect(output).toContain(says);
  expect(output).not.toMatch(/\[y\/N/);
  expect(exitCode, output).toBe(3);
});

test.for(["rollback", "approve", "apply"])(
  "cox %s without --no-input asks at the same terminal",
  (name, context) => {
    needsPseudoTerminal(context);
    const { args } = tried[name] as Try;
    const { output, exitCode } = onTerminal([name, ...args()], {
      cwd: world.root,
      env: { PATH: process.env.PATH, ...world.env },
      reactions: [{ when: "[y/N", type: "n\n" }],
    });
    expect(output).toContain("[y/N");
    expect(exitCode, output).toBe(1);
  },
);

/** A repository in which nothing is set up. */
function bare(): RunWorld {
  return new RunWorld({ agents: {}, files: { "package.json": "{}\n" } });
}
