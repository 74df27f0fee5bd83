import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import type { Problem } from "../../std/problem.ts";
import { noPaint } from "../../view/text/paint.ts";
import { widthOf } from "../../view/text/width.ts";
import { nodeChance } from "../../world/chance.ts";
import { openFiles } from "../../world/files/choose-files.ts";
import { packageRoot } from "../../world/files/package-root.ts";
import { nodeClock } from "../../world/time/clock.ts";
import { Values } from "../table/command-line.ts";
import { check } from "./check.ts";

const three = "## Tasks\n- [ ] one\n- [ ] two\n";
const config = (text: string) => ({ ".coxswain/config.yaml": text });
const dev = 'agents:\n  dev: { driver: command, command: ["node", "dev.mjs"] }\n';

test("the configuration's commands verify a plan of three lines, and its agent does it", async () => {
  const { code, said } = await checked(three, config(`verify: npm test\n${dev}`));
  expect(said).toContain("there is no auditor: the verify commands alone judge every task\n✓");
  expect(code).toBe(0);
});

test("a check shows the only agent as the one that does each task, and how many work at once", async () => {
  const files = config(`verify: npm test\nactive-developers: 1\n${dev}`);
  const { said } = await checked(three, files);
  expect(said).toContain("at most 1 at once");
  expect(said).toMatch(/· one +dev /);
  const document = JSON.parse((await checked(three, files, { json: true })).said);
  expect(document).toMatchObject({ width: 2, at_once: 1, tasks: [{ agent: "dev" }, { agent: "dev" }] });
});

test("each task says who does it, who audits it and what verifies it, in columns of the terminal's width", async () => {
  const crew =
    'agents:\n  dev: { driver: command, command: ["a"] }\n  judge: { driver: command, command: ["b"], role: auditor }\n';
  const long = "a-slug-that-is-so-long-that-no-table-could-hold-it-and-all-the-rest-of-the-row";
  const plan = [
    "## Tasks",
    "### Short",
    "- Auditor: none",
    `### ${long}`,
    "- Verify: npm run slow",
    "### 限流器をつくる",
    "",
  ].join("\n");
  const files = config(`verify: npm test\naudit: always\n${crew}`);
  const { said } = await checked(plan, files);
  const rows = said.split("\n").filter((line) => line.startsWith("  · "));
  expect(rows).toHaveLength(3);
  const [short = "", slow = "", wide = ""] = rows;
  expect(short).toMatch(/· short +dev +no auditor +verify: npm test$/);
  expect(slow).toMatch(/… *.* dev +audited by judge +verify: npm run slow$/);
  expect(wide).toMatch(/dev +audited by judge +verify: npm test$/);
  for (const words of ["dev ", "verify: "]) {
    const places = rows.map((row) => widthOf(row.slice(0, row.indexOf(words))));
    expect(new Set(places).size).toBe(1);
  }
  for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(100);
  const document = JSON.parse((await checked(plan, files, { json: true })).said);
  expect(document.tasks[1]).toMatchObject({ agent: "dev", auditor: "judge", verify: ["npm run slow"] });
});

test("a task without an auditor is shown as not audited", async () => {
  const { said } = await checked(three, config(`verify: npm test\n${dev}`));
  expect(said).toMatch(/· one {2}dev {2}no auditor {2}verify: npm test\n/);
  const none = await checked(`---\naudit: none\n---\n${three}`, config(dev));
  expect(none.said).toMatch(/· one {2}dev {2}no auditor {2}no verify command\n/);
});

test("C1 control characters in a plan reach no terminal by --json, and a parser reads them", async () => {
  const path = "one\u0085two\u009b31m";
  const { said } = await checked(`## Tasks\n- [ ] a\n  - Writes: ${path}\n`, config(dev), { json: true });
  expect(said).toContain("one\\u0085two\\u009b31m");
  expect(said).not.toMatch(/[\u0080-\u009f]/);
  expect(JSON.parse(said)).toMatchObject({ tasks: [{ writes: [path] }] });
});

test("without a configuration, a plan without verify commands is refused for that, and not for missing agents", async () => {
  const { code, said } = await checked(three);
  expect(code).toBe(1);
  expect(said).toContain("PLAN_NO_VERIFY");
  expect(said).not.toContain("NO_AGENTS");
});

test("settings, fields and keys without an effect yet are warned about, and stop nothing", async () => {
  const plan = "---\ntick: true\n---\n## Tasks\n- [ ] one\n  - Produces: schema.md\n";
  const { code, said } = await checked(plan, {
    ...config(`verify: npm test\nloop-threshold: 5\n${dev}`),
    ".coxswain/agents/dev.md": "---\nx-cox:\n  keywords: sql\n---\nYou know SQL.\n",
  });
  expect(code).toBe(0);
  for (const warning of [
    "! PLAN_NO_EFFECT  ROOT/plan.md:2:1\n    tick has no effect yet: a run leaves your plan as it is",
    "! PLAN_NO_EFFECT  ROOT/plan.md:6:15\n    Produces has no effect yet: ",
    "! CONFIG_NO_EFFECT  .coxswain/config.yaml:2:1\n    loop-threshold has no effect yet: ",
    "! PROFILE_NO_EFFECT  .coxswain/agents/dev.md:3:3\n    keywords has no effect yet: ",
  ])
    expect(said.replace(/\/\S*(?=\/plan\.md)/g, "ROOT")).toContain(warning);
});

test("a tool list of Claude Code's own file is warned of where an agent has that profile, and not elsewhere", async () => {
  const file = "---\nname: dev\ntools: Read\n---\nYou read.\n";
  const said = async (path: string, text: string) =>
    (await checked(three, { ...config(`verify: npm test\n${dev}`), [path]: text })).said;
  expect(await said(".claude/agents/dev.md", file)).toContain("tools has no effect yet");
  expect(await said(".claude/agents/other.md", file.replace("dev", "other"))).not.toContain("no effect yet");
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

test("a setting that is typed counts as one that is written, and wins over the plan and its tasks", async () => {
  const plan = "---\nactive-developers: 2\n---\n## Tasks\n- [ ] one\n  - Agent: dev\n- [ ] two\n";
  const two = `${dev}  other: { driver: command, command: ["node", "dev.mjs"] }\n`;
  const typed = { verify: ["npm test"], "active-developers": ["1"], agent: ["other"], title: ["Mine"] };
  const { code, said } = await checked(plan, config(two), { json: true, typed });
  const tasks = [{ agent: "other" }, { agent: "other" }];
  expect(JSON.parse(said)).toMatchObject({ ok: true, title: "Mine", at_once: 1, tasks });
  expect(code).toBe(0);
  expect((await checked(three, {}, { json: false, typed: { verify: ["true"] } })).code, "unconfigured").toBe(
    0,
  );
});

test.each([
  ["agent", "ghost", "command line:1:1", 'agent: "ghost" is set (command line), but there is no such agent'],
  ["workflow", "nope", "command line:1:1", "nope"],
])("a problem with --%s %s is reported where it was typed", async (key, value, place, words) => {
  const options = { json: false, typed: { [key]: [value] } };
  const { code, said } = await checked(three, config(`verify: x\n${dev}`), options);
  expect(said).toContain(place);
  expect(said).toContain(words);
  expect(said).toContain(`1 │ --${key} ${value}\n`);
  expect(code).toBe(1);
});

test("a bad value on the command line is a usage mistake, with what to type", async () => {
  const options = { json: false, typed: { "active-developers": ["many"] } };
  const { code, said } = await checked(three, config(`verify: x\n${dev}`), options);
  expect(said).toContain('active-developers must be a whole number from 1 to 64, not "many"');
  expect(said).toContain("Write for example: --active-developers 1");
  expect(code).toBe(2);
});

test("an agent command that was refused is not reported as missing too", async () => {
  const yaml = "verify: x\nagents: {a: {driver: command, command: my agent}}\n";
  const { said } = await checked(three, config(yaml), { json: true });
  expect(JSON.parse(said).errors).toMatchObject([{ code: "CONFIG_SHELL_TEMPLATE" }]);
});

test("an agent that would audit itself is found without a configuration too", async () => {
  const plan = "## Agents\n- a: developer\n\n## Tasks\n- [ ] one\n  - agent: a\n  - auditor: a\n";
  expect((await checked(plan)).said).toContain("✗ ROLE_CONFLICT  ");
});

test("a profile that cannot be read as it is meant is named", async () => {
  const files = { ...config(`verify: x\n${dev}`), ".coxswain/agents/a.md": "---\nname: [\n---\n" };
  expect((await checked(three, files)).said).toContain("✗ PROFILE_BAD_YAML  .coxswain/agents/a.md:3:1\n");
});

test("the check's --json has the problems of all files, each with its path", async () => {
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
])("a configuration that is %s is not read, and the check says so", async (_what, make, problem) => {
  const root = folderWith({ ".coxswain/x": "" });
  make(join(root, ".coxswain/config.yaml"));
  const { code, said } = await checkedIn(root, three);
  expect(said).toContain(`✗ ${problem}  .coxswain/config.yaml:1:1\n`);
  expect(code).toBe(1);
});

test("a sound plan is not called ready for a run if the repository is not ready", async () => {
  const problem = { code: "GIT_SHALLOW", message: "a shallow clone", hint: "git fetch --unshallow" };
  const files = config(`verify: npm test\n${dev}`);
  const { code, said } = await checked(three, files, { json: false, problem });
  expect(said).toContain("! GIT_SHALLOW\n    a shallow clone\n    git fetch --unshallow\n");
  expect(said).toMatch(/! .*plan\.md is sound, but cannot be run here yet\n$/);
  expect(code).toBe(0);
  const document = JSON.parse((await checked(three, files, { json: true, problem })).said);
  expect(document).toMatchObject({ ok: true, in_the_way: { code: "GIT_SHALLOW" } });
});

function checked(
  plan: string,
  files: Readonly<Record<string, string>> = {},
  options: CheckOptions = { json: false },
) {
  return checkedIn(folderWith(files), plan, options);
}

interface CheckOptions {
  readonly typed?: Readonly<Record<string, readonly string[]>>;
  readonly json: boolean;
  readonly problem?: Problem;
}

async function checkedIn(
  root: string,
  plan: string,
  { json, problem, typed = {} }: CheckOptions = { json: false },
) {
  let said = "";
  const print = (text: string) => {
    said += text;
  };
  writeFileSync(join(root, "plan.md"), plan);
  const values = new Values();
  values.add("root", root);
  for (const [key, all] of Object.entries(typed)) for (const value of all) values.add(key, value);
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
      ignoreKeys: () => () => {},
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
