import { expect, test } from "vitest";
import { noPaint } from "./text/paint.ts";
import {
  workflowListDocument,
  workflowListText,
  workflowPageDocument,
  workflowPageText,
} from "./workflow-list.ts";

const ours = {
  name: "bug-hunt",
  kind: "main-workflow",
  title: "Hunt",
  description: "Use to coordinate the search for a fault.",
  source: "shipped",
} as const;
const own = { name: "tidy", kind: "workflow", title: "Tidy up", description: "", source: "project" } as const;

test("each workflow is listed below its kind, with where it is from and when to use it", () => {
  expect(
    workflowListText([own, ours], { columns: 80, paint: noPaint }),
  ).toBe(`Main workflows: how a whole list of tasks is coordinated (Main-Workflow: NAME)
  bug-hunt  shipped
    Use to coordinate the search for a fault.

Workflows: how a single task is done (Workflow: NAME)
  tidy  project
    Tidy up

Read one: cox workflows NAME
`);
});

test("in the list of workflows no text of a page acts on a terminal", () => {
  const hostile = { ...own, description: "\u001b[2Ja\u202eb", text: "a\u001b[2J\n\tb\u202e\n" };
  expect(workflowListText([hostile], { columns: 80, paint: noPaint })).toContain("\\u001b[2Ja\\u202eb");
  expect(workflowPageText(hostile)).toBe("a\\u001b[2J\n\tb\\u202e\n");
});

test("the list of workflows as JSON is the same, with what is wrong and the text of one page", () => {
  const problem = { code: "WORKFLOW_EMPTY", path: "a.md", message: "m", hint: "h" };
  expect(workflowListDocument([ours], [problem])).toEqual({
    ok: true,
    workflows: [ours],
    warnings: [{ ...problem, index: null }],
  });
  expect(workflowPageDocument({ ...ours, text: "# Hunt\n" })).toEqual({
    ok: true,
    workflow: { ...ours, text: "# Hunt\n" },
  });
});
