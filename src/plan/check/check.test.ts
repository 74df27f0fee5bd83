import { expect, test } from "vitest";
import { noEffectYet } from "../../std/no-effect-yet.ts";
import { parsePlan } from "../read/parse.ts";
import type { PlanSurroundings } from "./check.ts";

const verified = (tasks: string) => `---\nverify: npm test\n---\n## Tasks\n${tasks}`;
const problems = (text: string, surroundings?: PlanSurroundings) => parsePlan(text, surroundings).problems;
const codes = (text: string, surroundings?: PlanSurroundings) =>
  problems(text, surroundings).map(({ code }) => code);
const one = (fields: string) => verified(`### One\n${fields}\n`);
const long = "x".repeat(300);
/** Samples for settings that accept only certain values. */
const sampleValues: Readonly<Record<string, string>> = {
  "coordinator-mode": "always",
  tick: "true",
  "remediation-attempts": "5",
  "loop-threshold": "5",
  "delegations-per-agent": "1",
  "delegation-timeout": "5 m",
  "usage-threshold": "20 %",
};

test.each<[string, string, string]>([
  ["PLAN-02 a task that depends on itself", one("- Needs: one"), "PLAN_CYCLE"],
  ...["__proto__", "constructor", "hasOwnProperty"].map((id): [string, string, string] => [
    `PLAN-05 the id ${id}`,
    one(`- Id: ${id}`),
    "PLAN_BAD_ID",
  ]),
  ...["../x", "a/b", "a b", "", long].map((id): [string, string, string] => [
    `PLAN-06 the id ${id.slice(0, 10)}`,
    one(`- Id: ${id}`),
    "PLAN_BAD_ID",
  ]),
  ...["-f", "--upload-pack=x"].map((id): [string, string, string] => [
    `PLAN-07 the id ${id}`,
    one(`- Id: ${id}`),
    "PLAN_BAD_ID",
  ]),
  ["PLAN-12 a title of a megabyte", verified(`### ${"x".repeat(1e6)}\n`), "LIMIT_TITLE"],
  ...[
    "**",
    "../**",
    "/",
    "!(x)",
    "{a,b}".repeat(30),
    "a**",
    "a/../b",
    "~/x",
    "a\\b",
    "a?.ts",
    "*",
    "**/*",
    "!a",
    "a//b",
  ].map((glob): [string, string, string] => [
    `PLAN-14 the claim ${glob.slice(0, 10)}`,
    one(`- Writes:\n  - \`${glob}\``),
    "PLAN_BAD_GLOB",
  ]),
  ...["true", ":", "exit 0", "npm test || true", "npm test; true", "echo fine", "/bin/true"].map(
    (command): [string, string, string] => [
      `PLAN-16 the verify command ${command}`,
      one(`- Verify: ${command}`),
      "PLAN_WEAK_VERIFY",
    ],
  ),
  ...["-1", "0", "1e12", "soon", "15", "0 s", "8 d", "5 parsecs"].map((timeout): [string, string, string] => [
    `PLAN-17 the timeout ${timeout}`,
    one(`- Timeout: ${timeout}`),
    "SCHEMA_RANGE",
  ]),
  ["attempts out of range", one("- Attempts: 0"), "SCHEMA_RANGE"],
  ["a budget of nothing", one("- Budget: 0 USD"), "SCHEMA_RANGE"],
  ["an unknown dependency", one("- Needs: two"), "PLAN_UNKNOWN_DEPENDENCY"],
  ["two siblings with one slug", verified("### One\n### one!\n"), "PLAN_DUPLICATE_ID"],
  ["an id that is another's slug", verified("### One\n### Two\n- Id: one\n"), "PLAN_DUPLICATE_ID"],
  ["a field said twice", one("- Agent: a\n- agent: b"), "PLAN_DUPLICATE_FIELD"],
  ["a field below the text", one("Text\n\n- Needs: two"), "PLAN_LATE_FIELD"],
  ["an unknown key", one("- Owner: a"), "PLAN_UNKNOWN_KEY"],
  ["two letters that changed places", one("- Wirtes: a.ts"), "PLAN_FIELD_TYPO"],
  ["a letter that is missing", one("- Depnds-On: two"), "PLAN_FIELD_TYPO"],
  ["a letter too many", one("- Verifyy: npm test"), "PLAN_FIELD_TYPO"],
  ["a wrong letter, in a line of text", one("Verifx: npm test"), "PLAN_FIELD_TYPO"],
  ["an empty verify", one("- Verify:"), "PLAN_EMPTY_VERIFY"],
  ...Object.keys(noEffectYet.field).map((field): [string, string, string] => [
    `the field ${field}, which has no effect yet`,
    one(`- ${field}: whatever`),
    "PLAN_NO_EFFECT",
  ]),
  ...Object.keys(noEffectYet.setting).map((setting): [string, string, string] => [
    `the setting ${setting}, which has no effect yet`,
    one("").replace("---\n", `---\n${setting}: ${sampleValues[setting] ?? "whatever"}\n`),
    "PLAN_NO_EFFECT",
  ]),
  ["a bullet without a box", verified("- [ ] One\n- Two\n"), "PLAN_NO_BOX"],
  ["tasks on two levels", verified("#### One\n### Two\n"), "PLAN_UNEVEN_LEVEL"],
  [
    "an agent that is none",
    `## Agents\n- just a name\n\n${verified("- [ ] One\n").slice(24)}`,
    "PLAN_BAD_AGENT",
  ],
  ["no tasks", "# Title\n", "PLAN_NO_TASKS"],
])("%s: the plan check reports this and nothing else", (_what, text, code) => {
  expect(codes(text, { canVerify: true })).toEqual([code]);
});

test.each([
  ["PLAN-05 the title constructor", verified("### constructor\n### __proto__\n### hasOwnProperty\n")],
  [
    "PLAN-08 ids that look like numbers",
    verified("### A\n- Id: 1\n### B\n- Id: 01\n### C\n- Id: 1e3\n- Needs: 1, 01\n"),
  ],
  ["PLAN-20 a plan whose every task is done", "## Tasks\n- [x] One\n- [x] Two\n"],
  ["literal brackets in a path", one("- Writes: app/[id]/(auth)/page.tsx, src/*.ts, docs/")],
  ["x- keys", one("- x-mine: 1\n- X-Other: 2")],
  ["a sentence with a colon", one("- Agent: a\n\nThis is what matters: it works.\n\nNote: so it is.")],
  ["nothing that it depends on", one("- Depends-On: none")],
])("%s is no problem in a plan", (_what, text) => {
  expect(problems(text)).toEqual([]);
});

test("a task titled like a built-in object property gets a safe key", () => {
  const { tasks } = parsePlan("## Tasks\n### constructor\n### 日本語\n### Users\n").plan;
  expect(tasks.map(({ id }) => id)).toEqual(["constructor", "日本語", "users"]);
  expect(tasks.map(({ key }) => key)).toEqual([
    expect.stringMatching(/^constructor-\w+$/),
    expect.stringMatching(/^task-\w+$/),
    "users",
  ]);
});

test("PLAN-09 a plan with 100,001 tasks is refused, and one with 100,000 is read", () => {
  const lines = Array.from({ length: 100_001 }, (_, at) => `- [ ] t${at}\n`);
  expect(codes(verified(lines.join("")))).toEqual(["LIMIT_TASKS"]);
  const { plan, problems } = parsePlan(verified(lines.slice(1).join("")));
  expect(problems).toEqual([]);
  expect(plan.tasks).toHaveLength(100_000);
});

test("PLAN-10 a chain of 2,000 dependencies is fine, and closed to a circle it is reported by its ends", () => {
  const chain = (first: string) =>
    Array.from(
      { length: 2000 },
      (_, at) => `- [ ] t${at}\n  - needs: ${at === 0 ? first : `t${at - 1}`}\n`,
    ).join("");
  expect(codes(verified(chain("none")))).toEqual([]);
  expect(problems(verified(chain("t1999")))).toMatchObject([
    { code: "PLAN_CYCLE", message: expect.stringMatching(/t0 → t1999 → .* more … → t1 → t0$/) },
  ]);
});

test("PLAN-12 a task title that acts on a terminal is cleaned, and reported", () => {
  const { plan, problems } = parsePlan(verified("### a\u001b[2Jb <b>c</b> \u202ed\n"));
  expect(problems).toMatchObject([{ code: "PLAN_TITLE_CHARACTERS", severity: "warning" }]);
  expect(plan.tasks[0]).toMatchObject({ title: "a[2Jb <b>c</b> d", id: "a2jb-c-d" });
});

test("every circle of dependencies is reported once, with its path", () => {
  const text = verified(
    "- [ ] a\n  - needs: b\n- [ ] b\n  - needs: c\n- [ ] c\n  - needs: a\n- [ ] d\n  - needs: a, e\n- [ ] e\n  - needs: d\n",
  );
  expect(problems(text).map(({ message }) => message)).toEqual([
    "tasks depend on each other in a circle: a → b → c → a",
    "tasks depend on each other in a circle: d → e → d",
  ]);
});

test.each([
  [one("- Needs: Two words\n### Two words"), "Did you mean #two-words?"],
  [one("- Needs: bukcet\n### Bucket"), "Did you mean #bucket?"],
  [one("- Dependencies: a"), "Did you mean Depends-On? For a note of your own, write x-dependencies."],
  [one("- Id: Users Table"), "Write for example: Id: users-table"],
])("the hint of a plan problem says what was meant: %#", (text, hint) => {
  expect(problems(text)).toMatchObject([{ hint }]);
});

test("a plan problem has the line and column that an editor shows, with any line ends", () => {
  const text = verified("### One\n\n- Needs: two, bukcet\n### Two\n");
  for (const each of [text, text.replaceAll("\n", "\r\n")]) {
    expect(problems(each)).toMatchObject([
      { code: "PLAN_UNKNOWN_DEPENDENCY", line: 7, column: 15, length: 6 },
    ]);
  }
});

const agents = "## Agents\n- backend: developer on codex\n\n";

test.each<[string, string, PlanSurroundings, string[]]>([
  [
    "an agent that is not in the list",
    `${agents}${"## Tasks\n### One\n- Agent: bakend\n"}`,
    { canVerify: true },
    ["PLAN_UNKNOWN_AGENT"],
  ],
  [
    "an auditor that is not in the list",
    `${agents}## Tasks\n### One\n- Auditor: nobody\n`,
    {},
    ["PLAN_UNKNOWN_AGENT"],
  ],
  [
    "an agent of the configuration",
    `${agents}## Tasks\n### One\n- Agent: other\n`,
    { canVerify: true, agents: ["other"] },
    [],
  ],
  ["an agent where no list is known", "## Tasks\n### One\n- Agent: any\n", { canVerify: true }, []],
  ["no way to verify", "## Tasks\n- [ ] One\n- [ ] Two\n", {}, ["PLAN_NO_VERIFY"]],
  ["no audit on purpose", "---\naudit: none\n---\n## Tasks\n- [ ] One\n", {}, []],
  ["an auditor in the list", "## Agents\n- judge: auditor on codex\n## Tasks\n- [ ] One\n", {}, []],
  ["a verify command of its own", "## Tasks\n### One\n- Check: npm test\n", {}, []],
])("%s", (_what, text, surroundings, expected) => {
  expect(codes(text, surroundings)).toEqual(expected);
});

test("every mistake of a plan is reported, in time that grows only with its length", () => {
  const count = 20_000;
  const text = verified(
    Array.from({ length: count }, (_, at) => `- [ ] t${at}\n  - needs: nobody-${at}\n`).join(""),
  );
  expect(codes(text)).toHaveLength(count);
});

test("every unusable path of a list in a plan is reported", () => {
  expect(problems(one("- Writes: ../x, fine.ts, /etc/passwd")).map(({ message }) => message)).toEqual([
    expect.stringContaining("../x"),
    expect.stringContaining("/etc/passwd"),
  ]);
});

test("a task that depends on itself hides no circle that it is part of", () => {
  const plan = verified("### a\n- Needs: a, b\n### b\n- Needs: a\n");
  expect(problems(plan).map(({ message }) => message)).toEqual([
    "a task depends on itself: a → a",
    "tasks depend on each other in a circle: a → b → a",
  ]);
});
