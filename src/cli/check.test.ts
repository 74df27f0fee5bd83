import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import type { Problem } from "../std/problem.ts";
import { noPaint } from "../view/paint.ts";
import { openFiles } from "../world/choose-files.ts";
import { nodeChance } from "../world/node-chance.ts";
import { nodeClock } from "../world/node-clock.ts";
import { packageRoot } from "../world/package-root.ts";
import { check } from "./check.ts";
import { Values } from "./command-line.ts";

const three = "## Tasks\n- [ ] one\n- [ ] two\n";
const config = (text: string) => ({ ".coxswain/config.yaml": text });
const dev = 'agents:\n  dev: { driver: command, command: ["node", "dev.mjs"] }\n';

test("the configuration's commands verify a plan of three lines, and its agent does it", async () => {
  const { code, said } = await checked(three, config(`verify: npm test\n${dev}`));
  expect(said).toContain("there is no auditor: the verify commands alone judge every task\n✓");
  expect(code).toBe(0);
});

test("who would do a task is said where one agent is meant without a word, and how many at once", async () => {
  const files = config(`verify: npm test\nactive-developers: 1\n${dev}`);
  const { said } = await checked(three, files);
  expect(said).toContain("at most 1 at once");
  expect(said).toMatch(/· one +dev\n/);
  const document = JSON.parse((await checked(three, files, { json: true })).said);
  expect(document).toMatchObject({ width: 2, at_once: 1, tasks: [{ agent: "dev" }, { agent: "dev" }] });
});

test("without a configuration the same plan cannot be verified, and nobody asks for agents", async () => {
  const { code, said } = await checked(three);
  expect(code).toBe(1);
  expect(said).toContain("PLAN_NO_VERIFY");
  expect(said).not.toContain("NO_AGENTS");
});

test("a mistake in the configuration is shown with its own file, line and underline", async () => {
  const { code, said } = await checked(three, config(`verify: npm test\nland: perhaps\n${dev}`));
  expect(code).toBe(1);
  expect(said).toContain(
    [
      "✗ SCHEMA_RANGE  .coxswain/config.yaml:2:7",
      '    land must be ask | auto | never, not "perhaps"',
      "    2 │ land: perhaps",
      "      │       ^^^^^^^",
      "    Write for example: land: ask",
    ].join("\n"),
  );
  expect(said).toMatch(/✗ .*plan\.md cannot be run: 1 problem\n$/);
});

test.each<[string, string, string, string]>([
  ["no agent at all", three, "verify: x\n", "NO_AGENTS"],
  [
    "an agent that is nowhere",
    "## Tasks\n- [ ] one\n  - agent: ghost\n",
    `verify: x\n${dev}`,
    "PLAN_UNKNOWN_AGENT",
  ],
  ["an unknown driver", three, "verify: x\nagents: {a: {driver: robot}}\n", "DRIVER_UNKNOWN"],
  [
    "a command for a shell",
    three,
    "verify: x\nagents: {a: {command: sh agent.sh}}\n",
    "CONFIG_SHELL_TEMPLATE",
  ],
  ["nobody to verify", three, dev, "PLAN_NO_VERIFY"],
])("with a configuration, %s stops the plan", async (_what, plan, yaml, problem) => {
  const { code, said } = await checked(plan, config(yaml));
  expect(said).toContain(`✗ ${problem}  `);
  expect(code).toBe(1);
});

test("a command that was refused is not asked for again", async () => {
  const yaml = "verify: x\nagents: {a: {driver: command, command: my agent}}\n";
  const { said } = await checked(three, config(yaml), { json: true });
  expect(JSON.parse(said).errors).toMatchObject([{ code: "CONFIG_SHELL_TEMPLATE" }]);
});

test("an agent that would judge itself is seen without a configuration too", async () => {
  const plan = "## Agents\n- a: developer\n\n## Tasks\n- [ ] one\n  - agent: a\n  - auditor: a\n";
  expect((await checked(plan)).said).toContain("✗ ROLE_CONFLICT  ");
});

test("a profile that cannot be read as it is meant is named", async () => {
  const files = { ...config(`verify: x\n${dev}`), ".coxswain/agents/a.md": "---\nname: [\n---\n" };
  expect((await checked(three, files)).said).toContain("✗ PROFILE_BAD_YAML  .coxswain/agents/a.md:3:1\n");
});

test("--json has the problems of all files, each with its path", async () => {
  const { said } = await checked(three, config("landing: ask\nverify: x\nland: 1\n"), { json: true });
  expect(JSON.parse(said)).toMatchObject({
    ok: false,
    notes: [],
    errors: [
      { code: "SCHEMA_RANGE", path: ".coxswain/config.yaml", line: 3, column: 7 },
      { code: "NO_AGENTS", path: null, line: 2 },
    ],
    warnings: [{ code: "CONFIG_UNKNOWN_KEY", path: ".coxswain/config.yaml", line: 1 }],
  });
});

test.each<[string, (path: string) => void, string]>([
  ["a link", (path) => symlinkSync("/etc/hostname", path), "PATH_SYMLINK"],
  ["a folder", (path) => mkdirSync(path), "PATH_IS_DIRECTORY"],
  ["not UTF-8", (path) => writeFileSync(path, Buffer.from([0x61, 0xff])), "CONFIG_NOT_UTF8"],
])("a configuration that is %s is not read, and it is said", async (_what, make, problem) => {
  const root = folderWith({ ".coxswain/x": "" });
  make(join(root, ".coxswain/config.yaml"));
  const { code, said } = await checkedIn(root, three);
  expect(said).toContain(`✗ ${problem}  .coxswain/config.yaml:1:1\n`);
  expect(code).toBe(1);
});

test("a plan that is sound is not said to be fit for a run where the repository is not", async () => {
  const problem = { code: "GIT_SHALLOW", message: "a shallow clone", hint: "git fetch --unshallow" };
  const files = config(`verify: npm test\n${dev}`);
  const { code, said } = await checked(three, files, { json: false, problem });
  expect(said).toContain("! GIT_SHALLOW\n    a shallow clone\n    git fetch --unshallow\n");
  expect(said).toMatch(/! .*plan\.md is sound, and cannot be run here yet\n$/);
  expect(code).toBe(0);
  const document = JSON.parse((await checked(three, files, { json: true, problem })).said);
  expect(document).toMatchObject({ ok: true, in_the_way: { code: "GIT_SHALLOW" } });
});

function checked(
  plan: string,
  files: Readonly<Record<string, string>> = {},
  wishes: Wishes = { json: false },
) {
  return checkedIn(folderWith(files), plan, wishes);
}

interface Wishes {
  readonly json: boolean;
  readonly problem?: Problem;
}

async function checkedIn(root: string, plan: string, { json, problem }: Wishes = { json: false }) {
  let said = "";
  const print = (text: string) => {
    said += text;
  };
  writeFileSync(join(root, "plan.md"), plan);
  const values = new Values();
  values.add("root", root);
  const code = await check(
    {
      words: [join(root, "plan.md")],
      values,
      terminal: {
        print,
        notice: print,
        paint: noPaint,
        noticePaint: noPaint,
        isUnread: () => false,
        size: () => ({ columns: 80, rows: 24 }),
        ascii: false,
        isWatched: false,
        json,
      },
      signal: new AbortController().signal,
      files: openFiles(),
      clock: nodeClock,
      chance: nodeChance,
      stdin: Readable.from([]),
      findPerson: () => undefined,
      takeOverInterrupts: () => {},
    },
    { packageRoot: packageRoot(), drivers: ["command", "scripted"], repositoryProblem: async () => problem },
  );
  return { code, said };
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "cox-check-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
