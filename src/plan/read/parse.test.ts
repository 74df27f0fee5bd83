import { expect, test } from "vitest";
import { parsePlan } from "./parse.ts";

const whole = `---
title: User management
main-workflow: tdd-incremental-orchestration
Active_Developers: 3
verify: npm test
budget: 5 USD
---

# User management

Why we do this and what every agent should know. @/specs/users.md

## Agents

- database: developer on claude-code
- api: developer on codex

## Tasks

### Create users table

- Agent: database
- Priority: high
- Writes: src/db/**
- Workflow: spec-first-integration
- Verify: npm test -- db
- Success: a migration creates \`users\` with a unique email

Free text, as long as it needs to be. @/specs/schema.md#users

#### A heading below this level

- [ ] works twice in a row
- [x] has a name

### Add the users endpoint

- Agent: api
- Depends-On: #create-users-table
- Writes: src/api/users.ts
`;

/** Adds a verify command, so that a test sees only the problems it is about. */
const verified = (tasks: string, head = "") => `---\nverify: npm test\n${head}---\n${tasks}`;
const codes = (text: string) => parsePlan(text).problems.map(({ code }) => code);
const tasks = (text: string) => parsePlan(text).plan.tasks;
const ids = (text: string) => tasks(text).map(({ id }) => id);

test("the plan of the manual is read whole, and nothing is wrong with it", () => {
  const { plan, problems } = parsePlan(whole);
  expect(problems).toEqual([]);
  expect(plan).toMatchObject({
    title: "User management",
    overview: "Why we do this and what every agent should know. @/specs/users.md",
    settings: { activeDevelopers: 3, verify: ["npm test"], budget: { usdMicros: 5_000_000 } },
    agents: [
      { name: "database", role: "developer", driver: "claude-code" },
      { name: "api", role: "developer", driver: "codex" },
    ],
    references: [{ path: "/specs/users.md" }],
    tasks: [
      {
        id: "create-users-table",
        agent: "database",
        priority: "high",
        writes: ["src/db/**"],
        workflow: "spec-first-integration",
        mainWorkflow: "tdd-incremental-orchestration",
        verify: ["npm test -- db"],
        success: [
          { text: "a migration creates `users` with a unique email", isDone: false },
          { text: "works twice in a row", isDone: false },
          { text: "has a name", isDone: true },
        ],
        references: [{ path: "/specs/schema.md", slug: "users" }],
        text: expect.stringContaining("#### A heading below this level"),
      },
      {
        id: "add-the-users-endpoint",
        dependsOn: [{ name: "create-users-table" }],
        verify: ["npm test"],
      },
    ],
  });
});

test("a file of three lines is a plan", () => {
  const { plan, problems } = parsePlan("## Tasks\n- [ ] Fix the typo in README\n- [x] Add a test\n", {
    canVerify: true,
  });
  expect(problems).toEqual([]);
  expect(plan.tasks).toMatchObject([
    { id: "fix-the-typo-in-readme", form: "bullet", isDone: false },
    { id: "add-a-test", form: "bullet", isDone: true },
  ]);
});

test("a short task has nested fields, criteria and text, and a title may take two lines", () => {
  const text = `# Tasks

- [ ] Fix the typo
  in README
  - needs: other
  - files: a.md, \`b.md\`
  - [ ] no typo is left

  Look at the second line.
* [ ] Other
`;
  expect(tasks(text)).toMatchObject([
    {
      title: "Fix the typo in README",
      dependsOn: [{ name: "other" }],
      writes: ["a.md", "b.md"],
      success: [{ text: "no typo is left" }],
      text: expect.stringContaining("Look at the second line."),
    },
    { id: "other", dependsOn: [] },
  ]);
});

test.each([
  "- Agent: a",
  "* Agent: a",
  "+ agent: a",
  "**Agent:** a",
  "**Agent**: a",
  "Agent: a",
  "- **AGENT:** a",
  "- agent:   a  ",
])("the line %j is a field of a task", (line) => {
  expect(tasks(`## Tasks\n### One\n${line}\n`)[0]?.agent).toBe("a");
});

test.each(["Depends-On", "depends on", "DEPENDS_ON", "Needs", "Blocked-By", "blocked by"])(
  "%s says what a task depends on",
  (key) => {
    expect(tasks(`## Tasks\n### One\n- ${key}: #two, [Three](#three)\n`)[0]?.dependsOn).toMatchObject([
      { name: "two" },
      { name: "three" },
    ]);
  },
);

test("a list below a field's key, and continued lines, belong to the field", () => {
  const text = `## Tasks
### One
- Writes:
  - src/a.ts
  - \`src/b.ts\`
- Verify:
  - npm test
  - npm run lint, with a comma
- Success: a long
  sentence
- Depends-On: #two,
  #three
`;
  expect(tasks(text)[0]).toMatchObject({
    writes: ["src/a.ts", "src/b.ts"],
    verify: ["npm test", "npm run lint, with a comma"],
    success: [{ text: "a long sentence" }],
    dependsOn: [{ name: "two" }, { name: "three" }],
    text: "",
  });
});

test("a list that Markdown fuses with the criteria loses no field", () => {
  const [task] = tasks("## Tasks\n### One\n- Agent: a\n\n- [ ] answers 429\n\n- Needs: two\n\nText\n");
  expect(task).toMatchObject({
    agent: "a",
    dependsOn: [{ name: "two" }],
    success: [{ text: "answers 429" }],
  });
});

test.each([
  ["a fence", "```\n### No\n- [ ] no\n```"],
  ["a longer fence around a fence", "````md\n```\n### No\n```\n### No\n````"],
  ["tildes", "~~~ md\n### No\n```\n~~~"],
  ["a fence in an item", "- see\n  ```\n  ### No\n  - [ ] no\n  ```"],
  ["a fence on an item's line", "- ```\n  ### No\n  ```"],
  ["a comment", "<!-- one\n### No\n- [ ] no\n-->"],
  ["a comment inside a line", "Text <!-- one\n### No\n- [ ] no\n-->"],
  ["a table", "| a | b |\n| --- | --- |\n| - [ ] no | Agent: x |"],
  ["a table without outer bars", "Agent: x | b\n--- | ---\nVerify: no | - [ ] no"],
  ["indented code", "Text\n\n    ### No\n    - [ ] no"],
  ["a pre element", "<pre>\n### No\n- [ ] no\n</pre>"],
  ["a quotation", "> ### No\n> - [ ] no"],
])("tasks are not looked for in %s", (_what, block) => {
  const found = tasks(`## Tasks\n### One\n${block}\n\n### Two\n- Agent: a\n`);
  expect(found.map(({ id }) => id)).toEqual(["one", "two"]);
  expect(found[0]).toMatchObject({ success: [], verify: [] });
  expect(found[0]?.agent).toBeUndefined();
  expect(found[1]?.agent).toBe("a");
});

test("a code fence in an item that is never closed ends with the item", () => {
  expect(ids("## Tasks\n- [ ] One\n  ```\n  code\n- [ ] Two\n")).toEqual(["one", "two"]);
});

test("a code fence that is never closed is reported, since it hides what is below it", () => {
  expect(codes(verified("## Tasks\n### One\n```\n### Two\n"))).toEqual(["PLAN_UNCLOSED"]);
});

test("headings of a plan are read in all their forms", () => {
  const text = "Tasks\n=====\n\nOne\n---\n\nA title on\ntwo lines\n---\n\n## Three ##\n##  Four\n";
  expect(ids(text)).toEqual(["one", "a-title-on-two-lines", "three", "four"]);
});

test("a rule below fields does not make a heading of them", () => {
  expect(ids("## Tasks\n### One\nAgent: a\nPriority: low\n---\n### Two\nAgent: b\n===\n")).toEqual([
    "one",
    "two",
  ]);
});

test("lines that only look like headings are no tasks", () => {
  expect(ids("## Tasks\n### One\n#hash\n####### seven\n    ### code\n- item\n  ### inside\n")).toEqual([
    "one",
  ]);
});

test.each(["Rules", "Context", "Questions", "Notes", "Out of scope", "out-of-scope:"])(
  "below %s there are no tasks and no criteria",
  (title) => {
    const text = `## ${title}\n- [ ] no\n\n## Tasks\n### One\n#### ${title}\n- [ ] no\n#### More\n- [ ] yes\n### ${title}\n- [ ] no\n### Two\n`;
    expect(ids(text)).toEqual(["one", "two"]);
    expect(tasks(text)[0]?.success).toMatchObject([{ text: "yes" }]);
  },
);

test("CRLF, a BOM and a missing last line end change nothing of what is read", () => {
  const plain = parsePlan(whole);
  const windows = parsePlan(`\ufeff${whole.replaceAll("\n", "\r\n").trimEnd()}`);
  const said = ({ plan }: typeof plain) =>
    plan.tasks.map(({ id, agent, writes, verify, success }) => ({ id, agent, writes, verify, success }));
  expect(windows.problems).toEqual([]);
  expect(said(windows)).toEqual(said(plain));
});

test("every offset of a parsed plan points at its text", () => {
  for (const text of [whole, `\ufeff${whole.replaceAll("\n", "\r\n")}`]) {
    const slice = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
    const [first, second] = parsePlan(text).plan.tasks;
    expect(first && slice(first.place.title)).toBe("Create users table");
    expect(first?.fields.map(({ value }) => slice(value))[2]).toBe("src/db/**");
    expect(second?.dependsOn.map(({ at }) => slice(at))).toEqual(["#create-users-table"]);
    expect(first?.references.map(({ at }) => slice(at))).toEqual(["@/specs/schema.md#users"]);
  }
});

test.each([
  ["see @/a.md.", [["/a.md", undefined]]],
  [
    "(@/a/b.md#part-one), [x](@/c.md)",
    [
      ["/a/b.md", "part-one"],
      ["/c.md", undefined],
    ],
  ],
  ["me@/x and me@example.com", []],
  ["`@/a.md` and ``@/b.md ` @/c.md``", []],
  ["`not code @/a.md", [["/a.md", undefined]]],
  ["a `code\nspan @/a.md` over lines", []],
  ["\\@/a.md", []],
  ["**@/a.md**", [["/a.md", undefined]]],
])("the text %j has these references", (text, expected) => {
  const found = parsePlan(`# Title\n\n${text}\n`).plan.references;
  expect(found.map(({ path, slug }) => [path, slug])).toEqual(expected);
});

test("a task with a mistake hides no other", () => {
  const text = verified(
    "## Tasks\n### !!!\n- Timeout: soon\n### One\n- Id: ../x\n### Two\n- Priority: huge\n### Three\n",
  );
  expect(codes(text)).toEqual(["PLAN_BAD_ID", "SCHEMA_RANGE", "PLAN_BAD_ID", "SCHEMA_RANGE"]);
  expect(ids(text)).toEqual(["task-1", "one", "two", "three"]);
});

test("a mistake in a plan's front matter has its own line, and the tasks are still read", () => {
  const { plan, problems } = parsePlan(
    "---\nverify: npm test\nbudget: [5 USD\ntitle: x\n---\n## Tasks\n- [ ] One\n",
  );
  expect(problems[0]).toMatchObject({ code: "PLAN_BAD_YAML", severity: "blocking", line: 4 });
  expect(plan.tasks).toHaveLength(1);
});

test.each([
  ["an alias", "a: &x [1]\nverify: *x\n"],
  ["an object", "verify: { a: 1 }\n"],
  ["a list of lists", "verify: [[a]]\n"],
  ["no mapping", "- a\n- b\n"],
  ["a hundred thousand brackets", `verify: ${"[".repeat(60_000)}\n`],
])("a plan's front matter with %s is refused, not followed", (_what, yaml) => {
  expect(codes(`---\n${yaml}---\n## Tasks\n- [ ] One\n`)).toContain("PLAN_BAD_YAML");
});

test.each([
  ["spelled alike", "verify: a\nverify: b\n", 3],
  ["with - and with _", "turn-attempts: 1\nturn_attempts: 2\n", 3],
  ["in another case", "Land: ask\nland: never\n", 3],
])("a setting that a plan repeats, %s, is refused at its second place", (_what, yaml, line) => {
  const { problems } = parsePlan(`---\n${yaml}---\n## Tasks\n- [ ] One\n`, { canVerify: true });
  expect(problems).toMatchObject([{ code: "PLAN_DUPLICATE_KEY", severity: "blocking", line }]);
});

test("a task's recorded status is a field at its top, never in its text, and no mistake", () => {
  const record =
    "- Status: completed\n- Started: T by me\n- Completed: T by me\n- Note:\n  > ## a\n  > ```\n";
  const text = "Note: words\n\n- Note: more";
  const { plan, problems } = parsePlan(`---\nverify: x\n---\n## Tasks\n\n### One\n\n${record}\n${text}\n`);
  expect(problems).toEqual([]);
  expect(plan.tasks[0]?.fields.map(({ key }) => key)).toEqual(["status", "started", "completed", "note"]);
  expect(plan.tasks[0]).toMatchObject({ text, isDone: true });
});

test("parsing a plan never throws", () => {
  for (const text of [
    "",
    "\ufeff",
    "---",
    "---\n---",
    "## Tasks",
    "# ",
    "```",
    "<!--",
    "- [ ]",
    "## Tasks\n- [ ]",
    "\r\n\r",
    "|\n-|-",
  ]) {
    expect(() => parsePlan(text)).not.toThrow();
  }
});
