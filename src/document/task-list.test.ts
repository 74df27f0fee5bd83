import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { applySplices, type Splice } from "../plan/edit/splice.ts";
import { TaskList } from "./task-list.ts";

test("changing a status in a list of ten thousand tasks reads one task", async () => {
  const { TaskList, readTask } = await countingReads();
  const one = (n: number) => `### Task ${n}\n\n- Status: pending\n- Workflow: w\n\nText of ${n}.\n\n`;
  const text = `# List\n\n## Tasks\n\n${Array.from({ length: 10_000 }, (_, n) => one(n)).join("")}`;
  const list = TaskList.read(text);
  const field = list.find("task-5000")?.fields[0];
  expect(field?.key).toBe("status");
  const splice = { start: field?.value.start ?? 0, end: field?.value.end ?? 0, text: "in_progress" };
  readTask.mockClear();
  const after = list.spliced([splice], { before: text, after: applySplices(text, [splice]) });
  expect(after?.find("task-5000")?.status).toBe("in-progress");
  expect(readTask).toHaveBeenCalledTimes(1);
});

/** Loads a fresh copy: other test files of this layer may have loaded it before. */
async function countingReads() {
  const actual = await vi.importActual<typeof import("../plan/read/task.ts")>("../plan/read/task.ts");
  const readTask = vi.fn(actual.readTask);
  vi.resetModules();
  vi.doMock("../plan/read/task.ts", () => ({ ...actual, readTask }));
  onTestFinished(() => void vi.doUnmock("../plan/read/task.ts"));
  const { TaskList } = await import("./task-list.ts");
  return { TaskList, readTask };
}

test("adding a task at the end of a list reads only that task and the one before it", () => {
  const text = "## Tasks\n\n### One\n\n- Status: pending\n\n### Two\n\n## Later\n\n### No task\n";
  const at = text.indexOf("## Later");
  const splice = { start: at, end: at, text: "### Three\n\n- Status: blocked\n\n" };
  const after = TaskList.read(text).spliced([splice], { before: text, after: applySplices(text, [splice]) });
  expect(after?.tasks.map(({ id, status }) => [id, status])).toEqual([
    ["one", "pending"],
    ["two", undefined],
    ["three", "blocked"],
  ]);
});

test("a task that loses its title is named by its number in the list, counting tasks added before it", () => {
  const text = "## Tasks\n\n### One\n\n### Two\n\n### Three\n";
  const splices = [
    { start: text.indexOf("### Two"), end: text.indexOf("### Two"), text: "### New\n\n" },
    { start: text.indexOf("Three"), end: text.indexOf("Three") + 5, text: "" },
  ];
  const after = applySplices(text, splices);
  const ids = (list: TaskList | undefined) => list?.tasks.map(({ id }) => id);
  expect(ids(TaskList.read(text).spliced(splices, { before: text, after }))).toEqual([
    "one",
    "new",
    "two",
    "task-4",
  ]);
  expect(ids(TaskList.read(after))).toEqual(["one", "new", "two", "task-4"]);
});

test.each([
  [
    "closes a comment that began above it",
    "## Tasks\n### A\na <!-- b\n### B\nx\n\nend\n",
    "x\n",
    "x --> y\n",
  ],
  ["opens a fence", "## Tasks\n### A\nx\n### B\n", "x\n", "```\n"],
  ["ends in a paragraph above a heading by underline", "# Tasks\n## A\nx\n\nB\n---\n", "x\n\n", "x\n"],
  ["ends in a list above an indented heading", "## Tasks\n### A\nx\n  ### B\n", "x\n", "- x\n"],
])("an edit that %s is seen by the neighbouring tasks", (_what, text, old, put) => {
  const start = text.lastIndexOf(old);
  const splices = [{ start, end: start + old.length, text: put }];
  const after = applySplices(text, splices);
  const list = TaskList.read(text);
  const titles = ({ tasks }: TaskList) => tasks.map(({ title }) => title);
  expect(titles(list)).toEqual(["A", "B"]);
  expect(titles(TaskList.read(after))).not.toEqual(["A", "B"]);
  expect(list.spliced(splices, { before: text, after })).toBeUndefined();
});

test("tasks hidden by a code fence that was never closed appear when the fence is removed", () => {
  const text = "## Tasks\n\n1. [ ] A\n  ```\n\n### B\n";
  const splices = [{ start: text.indexOf("\n  `"), end: text.indexOf("  `"), text: "" }];
  const after = applySplices(text, splices);
  expect([TaskList.read(text).size, TaskList.read(after).size]).toEqual([1, 2]);
  expect(TaskList.read(text).spliced(splices, { before: text, after })).toBeUndefined();
});

const heads = ["### One", "### Two", "  ### Three", "#### Deep", "- [ ] short", "- [x] done", "* [ ] star"];
const lines = [
  ...heads,
  ...[
    "## Tasks",
    "## Notes",
    "### Notes",
    "# Top",
    "Title",
    "===",
    "---",
    "",
    "",
    "",
    "  ",
    "text",
    "- item",
  ],
  ...[
    "- Status: pending",
    "  - Status: done",
    "- Note:",
    "  > quoted",
    "> quote",
    "Status: x",
    "1. [ ] first",
  ],
  ...[
    "```",
    "~~~",
    "  ```",
    "<!--",
    "-->",
    "a <!-- b",
    "c --> d",
    "| a | b |",
    "--- | ---",
    "a | b",
    "    code",
  ],
  ...[
    "- ```",
    "<pre>",
    "</pre>",
    "@/a.md#b",
    "`code",
    "  indented",
    "\tTab",
    "- Depends-On: one, two",
    "### ",
  ],
];
const aLine = fc.constantFrom(...lines);
const aDocument = fc
  .record({
    tasks: fc.array(fc.record({ head: fc.constantFrom(...heads), body: fc.array(aLine, { maxLength: 6 }) }), {
      minLength: 1,
      maxLength: 6,
    }),
    isLoose: fc.boolean(),
    end: fc.constantFrom("\n", "\r\n"),
  })
  .map(({ tasks, isLoose, end }) => {
    const all = tasks.flatMap(({ head, body }) => [head, ...body, ...(isLoose ? [""] : [])]);
    return ["# Plan", "", "## Tasks", "", ...all].join(end) + end;
  });
const anEdit = fc.record({
  at: fc.nat(),
  length: fc.constantFrom(0, 0, 0, 1, 3, 12),
  isAtLine: fc.boolean(),
  put: fc.oneof(
    fc.constantFrom("", "x", "\n", " ", "-->", "`", "\r\n"),
    fc.array(aLine, { maxLength: 3 }).map((some) => some.map((line) => `${line}\n`).join("")),
  ),
});

function splicesOf(
  text: string,
  edits: readonly (typeof anEdit extends fc.Arbitrary<infer T> ? T : never)[],
) {
  const splices: Splice[] = [];
  let least = text.indexOf("\n\n");
  for (const { at, length, isAtLine, put } of edits) {
    let start = Math.max(0, least) + (at % (text.length - Math.max(0, least) + 1));
    if (isAtLine) start = text.indexOf("\n", start) + 1 || text.length;
    const end = Math.min(text.length, start + length);
    splices.push({ start, end, text: put });
    least = end;
  }
  return splices;
}

test("a task list updated after an edit is the same as one read from the new text", () => {
  let kept = 0;
  fc.assert(
    fc.property(aDocument, fc.array(anEdit, { minLength: 1, maxLength: 3 }), (text, edits) => {
      const list = TaskList.read(text);
      const splices = splicesOf(text, edits);
      const after = applySplices(text, splices);
      const spliced = list.spliced(splices, { before: text, after });
      if (!spliced) return;
      kept += 1;
      expect(seen(spliced)).toEqual(seen(TaskList.read(after)));
    }),
    { numRuns: 4000 },
  );
  expect(kept).toBeGreaterThan(250);
});

function seen(list: TaskList) {
  return {
    tasks: list.tasks,
    levels: list.tasks.map((_, at) => list.levelOf(at)),
    found: list.tasks.map(({ id }) => list.indexOf(id)),
    taskSections: list.taskSections,
    otherTitles: list.otherTitles,
  };
}
