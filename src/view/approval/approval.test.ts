import { expect, test } from "vitest";
import { noPaint } from "../text/paint.ts";
import { type ApprovalFacts, approvalDocument, approvalText } from "./approval.ts";

const facts: ApprovalFacts = {
  name: "plan.md",
  settings: [],
  title: "Two things",
  base: "0123456789abcdef",
  notes: ["there is no auditor"],
  budget: "5 USD",
  slots: 2,
  uncommitted: ["plan.md", "src/a.ts"],
  warnings: [],
  tasks: [
    { task: "one", title: "One", agent: "dev", auditor: "tester", depends_on: [] },
    { task: "second", title: "Two", agent: null, auditor: null, depends_on: ["one"] },
  ],
  agents: [{ agent: "dev", role: "developer", driver: "command", environment: ["MY_KEY"] }],
  commands: [
    { what: "verify", agent: null, command: "npm test", is_new: false },
    { what: "agent", agent: "dev", command: ["node", "a.mjs", "\u001b[2J"], is_new: true },
  ],
};

test("the approval of a run shows the commit, the tasks, the agents and every command, the new ones marked", () => {
  expect(approvalText(facts, { paint: noPaint, warned: "! PLAN_WEAK\n" })).toBe(`Two things
starts at 0123456 · at most 2 at once · budget 5 USD
2 tasks
  one     One  dev, judged by tester
  second  Two  nobody, after one
1 agent
  dev: developer, driver command, sees MY_KEY
2 commands
  verify          npm test
  agent dev       node a.mjs \\u001b[2J  new
there is no auditor
2 files are not committed: agents work from commit 0123456 and do not see them: plan.md, src/a.ts
! PLAN_WEAK
`);
});

test("settings from the command line are shown for approval, and are in the JSON document", () => {
  const settings = [{ setting: "active-developers", value: 5, text: "5" }];
  const text = approvalText({ ...facts, settings }, { paint: noPaint });
  expect(text).toContain("\n1 setting from the command line\n  active-developers: 5\n2 tasks\n");
  expect(approvalDocument({ ...facts, settings }, undefined).settings).toEqual([
    { setting: "active-developers", value: 5 },
  ]);
});

test("an approval shows some of a thousand tasks, and all of a thousand commands", () => {
  const many = { length: 1000 };
  const text = approvalText(
    {
      ...facts,
      tasks: Array.from(
        many,
        (_, at) => ({ ...facts.tasks[0], task: `t${at}` }) as ApprovalFacts["tasks"][number],
      ),
      commands: Array.from(many, (_, at) => ({
        what: "verify",
        agent: null,
        command: `run ${at}`,
        is_new: true,
      })),
    },
    { paint: noPaint },
  );
  expect(text).toContain("… 960 more tasks");
  expect(text.match(/ {2}verify /g)).toHaveLength(1000);
});

test("the JSON document of an approval has the same keys on success and on failure", () => {
  const problem = { code: "NEEDS_APPROVAL", message: "m", hint: "h" };
  const [done, refused] = [approvalDocument(facts, undefined), approvalDocument(facts, problem)];
  expect(Object.keys(refused)).toEqual(Object.keys(done));
  expect([done.approved, refused.approved]).toEqual([true, false]);
});
