import { expect, test } from "vitest";
import { claude, codes, codex, create, fine, Shelf, wrong } from "../../../test/mcp/shelf.ts";
import { activeList, type DocumentPath } from "../../document/address.ts";
import { changeSections } from "../../document/section/change-sections.ts";
import { coordinatorTasks } from "../coordinator/coordinator-tasks.ts";
import { startCoordinatorTask } from "../coordinator/start-coordinator-task.ts";
import { subagentTasks } from "../subagent/subagent-tasks.ts";
import { startTask } from "../work/start-task.ts";
import type { TaskOperation } from "./task-operation.ts";

const path = "/a.md" as DocumentPath;
const tasks = (...lines: string[]) => `# A\n\n## Tasks\n\n${lines.join("\n\n")}\n`;
const on = (shelf: Shelf, operations: readonly TaskOperation[], author = claude) =>
  subagentTasks(shelf.room(author), { document: path, operations });
const edit = (slug: string, request: Omit<TaskOperation, "operation" | "slug">): TaskOperation => ({
  operation: "edit",
  slug,
  ...request,
});
const main = "- Main-Workflow: tdd-incremental-orchestration";

test("each problem of a call names its task operation, and all are reported at once, even two for one slug", async () => {
  const shelf = new Shelf({ [path]: tasks("### One") });
  const problems = wrong(
    await on(shelf, [
      create("Fine"),
      create("Bad", "- Status: in_progress"),
      create("fine"),
      edit("won", { title: "x" }),
      { operation: "list" },
    ]),
  );
  expect(problems.map(({ code, field }) => [code, field])).toEqual([
    ["TASK_STATUS", "operations[1]"],
    ["TASK_DUPLICATE_SLUG", "operations[2]"],
    ["TASK_NOT_FOUND", "operations[3]"],
  ]);
  expect(problems.map(({ message }) => /^operation \d \([^)]*\): /.exec(message)?.[0])).toEqual([
    'operation 2 (create "Bad"): ',
    'operation 3 (create "fine"): ',
    "operation 4 (edit #won): ",
  ]);
  expect(shelf.changes).toBe(0);
});

test("removing a task's verify command is reported", async () => {
  const shelf = new Shelf({ [path]: tasks("### One\n- Verify: npm test") });
  const said = async (content: string) => fine(await on(shelf, [edit("one", { content })])).warnings;
  expect(await said("- Verify: npm test\n\nMore words")).toEqual([]);
  expect(await said("- Verify: true")).toMatchObject([
    {
      code: "VERIFY_REMOVED",
      message: expect.stringContaining('"npm test" of #one; its verify command is now "true"'),
    },
  ]);
  expect(await said("No more.")).toMatchObject([
    { code: "VERIFY_REMOVED", message: expect.stringContaining("it will be completed as a claim") },
  ]);
});

test("the status of a task that another client has in progress cannot be reset; other edits of it are reported", async () => {
  const shelf = new Shelf({ [path]: tasks("### One\n\nWords") });
  fine(await startTask(shelf.room(), { address: { path, slug: "one" } }));
  for (const request of [
    { status: "pending" },
    { content: "- Status: pending" },
    { content: "- Started: never" },
  ] as const) {
    expect(codes(await on(shelf, [edit("one", request)], codex))).toEqual(["LEASE_TAKEN"]);
  }
  expect(fine(await on(shelf, [edit("one", { content: "Other words" })], codex)).warnings).toMatchObject([
    { code: "TASK_HELD", message: expect.stringContaining("claude-code 2.1.325") },
  ]);
  fine(await startTask(shelf.room(codex), { address: { path, slug: "one" }, takeOver: true }));
  fine(await on(shelf, [edit("one", { status: "pending" })], codex));
});

test("a note can be left on a task, and together with a status it is the reason", async () => {
  const shelf = new Shelf({ [path]: tasks("### One", "### Two") });
  const noted = fine(await on(shelf, [{ operation: "note", slug: "one", note: "found the leak" }]));
  expect(noted.done).toMatchObject([{ operation: "note", slug: "one", status: "pending" }]);
  expect(shelf.text(path)).toContain("### One\n\n- Note: found the leak\n");
  fine(await on(shelf, [edit("two", { status: "blocked", note: "no key yet" })]));
  const [problem] = wrong(await startTask(shelf.room(), { address: { path, slug: "two" } }));
  expect(problem?.message).toBe('#two has the status blocked; its last note says: "no key yet"');
  expect(codes(await on(shelf, [{ operation: "note", slug: "one" }]))).toEqual(["TASK_OPERATION"]);
  expect(codes(await on(shelf, [{ operation: "note", slug: "one", note: " " }]))).toEqual(["NOTE_EMPTY"]);
  expect(codes(await on(shelf, [{ operation: "note", note: "x" }]))).toEqual(["TASK_OPERATION"]);
  const both: TaskOperation[] = [
    { operation: "note", slug: "one", note: "x" },
    edit("#one", { title: "First" }),
  ];
  expect(codes(await on(shelf, both))).toEqual(["TASK_EDITED_TWICE"]);
});

test("circles of task dependencies are refused with their path; an unknown dependency is a warning with the nearest name", async () => {
  const shelf = new Shelf({ [path]: tasks("### A1", "### B1\n- Depends-On: a1") });
  const [circle] = wrong(await on(shelf, [edit("a1", { content: "- Depends-On: b1" })]));
  expect(circle?.message).toBe("#a1 → #b1 → #a1: by their Depends-On they wait for each other forever");
  const three = [
    create("C", "- Depends-On: d"),
    create("D", "- Depends-On: e"),
    create("E", "- Depends-On: c"),
  ];
  const long = wrong(await on(shelf, three));
  expect(long.map(({ message }) => message)).toEqual([expect.stringContaining("#c → #d → #e → #c")]);
  expect(fine(await on(shelf, [create("F", "- Depends-On: a2")])).warnings).toMatchObject([
    { code: "TASK_UNKNOWN_DEPENDENCY", hint: "Did you mean #a1?" },
  ]);
});

test.each([
  ["one that is not there", "x", "#x depends on #zz, which is no task of this document"],
  ["a circle", "y", "#y → #v → #y: by their Depends-On they wait for each other forever"],
  [
    "open ones",
    "w",
    "#w depends on #y, #v, which are not completed, and on #qq, which is no task of this document",
  ],
])("starting a task that waits for %s says so", async (_what, slug, message) => {
  const shelf = new Shelf({
    [path]: tasks(
      "### X\n- Depends-On: zz",
      "### Y\n- Depends-On: v",
      "### V\n- Depends-On: y",
      "### W\n- Depends-On: y, v, qq",
    ),
  });
  expect(wrong(await startTask(shelf.room(), { address: { path, slug } }))).toMatchObject([
    { code: "TASK_WAITS", message },
  ]);
});

test("a coordinator task that depends on a later one is reported with the call that moves it", async () => {
  const shelf = new Shelf();
  const room = shelf.room();
  const made = fine(
    await coordinatorTasks(room, [create("G", `${main}\n- Depends-On: h`), create("H"), create("I")]),
  );
  expect(made.warnings).toMatchObject([{ code: "TASK_ORDER" }]);
  const [problem] = wrong(await startCoordinatorTask(room));
  expect(problem).toMatchObject({ code: "TASK_WAITS" });
  const [, operations = ""] = /operations (\[\{.*?\}\])/.exec(problem?.hint ?? "") ?? [];
  fine(
    await changeSections(room.store, room.author, {
      path: activeList,
      operations: JSON.parse(operations),
      tool: "section",
    }),
  );
  expect(fine(await startCoordinatorTask(room)).task.slug).toBe("h");
});

test("new tasks in a list of checkboxes are checkboxes too, with their text indented below", async () => {
  const shelf = new Shelf({ [path]: tasks("- [x] One\n- [ ] Two") });
  const content = "- Verify: npm test\n\nSome words.\n\n- [ ] a criterion";
  fine(await on(shelf, [create("Three", content), create("Four"), create("Five", "Words.\nMore.")]));
  expect(shelf.text(path)).toBe(
    tasks(
      "- [x] One\n- [ ] Two\n- [ ] Three\n  - Verify: npm test",
      "  Some words.",
      "  - [ ] a criterion\n- [ ] Four\n- [ ] Five",
      "  Words.\n  More.",
    ),
  );
  const room = shelf.room();
  const started = fine(await startTask(room, { address: { path, slug: "three" } }));
  expect(started.task.content).toContain("Some words.");
  const boxes = new Shelf({ [path]: tasks("- [ ] One") });
  fine(await on(boxes, [create("Two"), create("Three", "#### Deep\n\nWords")]));
  const rows = fine(await on(boxes, [{ operation: "list" }])).rows?.tasks;
  expect(rows?.map(({ slug }) => slug)).toEqual(["one", "two", "three"]);
});

test("creating the first task without a Main-Workflow is answered with the ones that exist", async () => {
  const room = new Shelf().room();
  const list = () => [
    {
      name: "bug-hunt",
      kind: "main-workflow",
      title: "From a symptom to a cause",
      description: "",
      text: "",
      source: "shipped",
    } as const,
  ];
  const [problem] = wrong(
    await coordinatorTasks({ ...room, workflows: { ...room.workflows, list } }, [create("One")]),
  );
  expect(problem).toMatchObject({
    code: "MAIN_WORKFLOW_MISSING",
    hint: "Write it into its content: - Main-Workflow: NAME. There are: bug-hunt (From a symptom to a cause).",
  });
});
