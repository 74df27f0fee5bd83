import fc from "fast-check";
import { expect, test } from "vitest";
import type { DocumentPath } from "../../document/address.ts";
import { Document } from "../../document/document.ts";
import { TaskList } from "../../document/task-list.ts";
import { recordTask } from "./record-task.ts";
import { recordOf } from "./task-record.ts";

const path = "/a.md" as DocumentPath;

function noted(text: string, slug: string, note: string): string {
  const document = Document.of(path, text);
  const task = document.tasks.find(slug);
  if (!task) throw new Error(`no task ${slug}`);
  const recorded = recordTask(document, task, { status: "completed", completed: "T by me", note });
  if ("problem" in recorded) throw new Error(recorded.problem.message);
  return recorded.document.text;
}

test("a task's note of one plain line stands behind its key; any other is a quotation", () => {
  const text = "## Tasks\n\n### One\n\n- Status: pending\n\nDo it.\n";
  expect(noted(text, "one", "All done.")).toBe(
    "## Tasks\n\n### One\n\n- Status: completed\n- Completed: T by me\n- Note: All done.\n\nDo it.\n",
  );
  expect(noted(text, "one", "Found:\n\n## A heading\n```\ncode\n")).toBe(
    "## Tasks\n\n### One\n\n- Status: completed\n- Completed: T by me\n- Note:\n  > Found:\n  >\n  > ## A heading\n  > ```\n  > code\n  >\n\nDo it.\n",
  );
});

test("completing a short task ticks its box and writes the record inside it", () => {
  expect(noted("## Tasks\n- [ ] one\n- [ ] two\n", "one", "a\nb")).toBe(
    "## Tasks\n- [x] one\n  - Completed: T by me\n  - Note:\n    > a\n    > b\n- [ ] two\n",
  );
});

test("a note that would turn the text below it into a heading goes above the last field", () => {
  const text = "## Tasks\n### One\n- Status: pending\nDo it\n---\nand that.\n";
  const after = noted(text, "one", "a\nb");
  expect(after).toBe(
    "## Tasks\n### One\n- Completed: T by me\n- Note:\n  > a\n  > b\n- Status: completed\nDo it\n---\nand that.\n",
  );
});

const pieces = [
  "### Two",
  "## Tasks",
  "---",
  "===",
  "```",
  "~~~",
  "<!--",
  "-->",
  "- Status: pending",
  "",
  " ",
  "  > x",
];
const aLine = fc.oneof(
  fc.constantFrom(
    ...pieces,
    "- [ ] box",
    "* * *",
    "text",
    "`code`",
    "<pre>",
    "| a |",
    "@/x.md",
    "\u2028",
    "\t",
  ),
  fc.string({ maxLength: 8 }),
);
const aNote = fc
  .array(aLine, { minLength: 1, maxLength: 6 })
  .map((lines) => lines.join("\n").replace(/[\0\r]/g, ""))
  .filter((note) => note.trim() !== "");
const aBody = fc.array(
  fc.constantFrom(
    ...[
      "- Status: pending",
      "- Started: T by x",
      "* Workflow: w",
      "**Agent:** a",
      "- Note: old",
      "  deeper",
      "text",
    ],
    ...["", "", "- item", "#### Deep", "```\nx\n```", "---", "> quote", "  > quote", "a | b", "<!-- c -->"],
  ),
  { maxLength: 5 },
);

test("any note of a task reads back exactly, and every other task and section stays as it is", () => {
  let held = 0;
  fc.assert(
    fc.property(
      fc.array(fc.record({ isBullet: fc.boolean(), body: aBody }), { minLength: 1, maxLength: 4 }),
      aNote,
      fc.nat(),
      fc.constantFrom("\n", "\r\n"),
      (tasks, note, which, end) => {
        const lines = ["# Plan", "", "## Tasks", ""];
        tasks.forEach(({ isBullet, body }, at) => {
          const isShort = isBullet && tasks.slice(0, at).every((each) => each.isBullet);
          lines.push(isShort ? `- [ ] task ${at} it` : `### Task ${at} it`);
          lines.push(...body.map((line) => (isShort && line !== "" ? `  ${line}` : line)));
        });
        lines.push("", "## After", "", "Words.");
        const text = `${lines.join("\n")}\n`.replaceAll("\n", end);
        const document = Document.of(path, text);
        const task = document.tasks.at(which % Math.max(1, document.tasks.size));
        if (!task || document.tasks.tasks.filter(({ id }) => id === task.id).length > 1) return;
        const recorded = recordTask(document, task, { status: "completed", completed: "T by me", note });
        if ("problem" in recorded) return;
        held += 1;
        const before = document.tasks.tasks;
        const after = TaskList.read(recorded.document.text);
        const now = after.find(task.id);
        if (!now) throw new Error("it is gone");
        const old = recordOf(text, task).notes;
        expect(recordOf(recorded.document.text, now).notes.toSorted()).toEqual([...old, note].toSorted());
        expect(now.isDone).toBe(true);
        const others = (list: readonly (typeof before)[number][], of: string) =>
          list
            .filter(({ id }) => id !== task.id)
            .map(({ place }) => of.slice(place.whole.start, place.whole.end));
        expect(others(after.tasks, recorded.document.text)).toEqual(others(before, text));
        expect(after.otherTitles).toEqual(document.tasks.otherTitles);
        expect(now.text).toBe(task.text);
      },
    ),
    { numRuns: 3000 },
  );
  expect(held).toBeGreaterThan(2700);
});
