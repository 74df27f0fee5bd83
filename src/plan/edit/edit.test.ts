import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "../../../test/sized.ts";
import { parsePlan } from "../read/parse.ts";
import { editPlan, type PlanEdit } from "./edit.ts";

const plan = `---
title: Old   # the title
verify: [a, b]
---
# Title

## Tasks

### One

* agent: a   <!-- who -->
* files:
  - x.ts
  - y.ts

Text

### Two
Text directly below.
### Three

**Priority:** high

## Notes
`;

const edited = (text: string, edit: PlanEdit) => {
  const result = editPlan(text, edit);
  if ("problem" in result) throw new Error(result.problem.message);
  return result.text;
};

/** What was added and removed, as `- old` and `+ new` lines. */
const difference = (before: string, after: string) => {
  const olds = before.split("\n");
  const news = after.split("\n");
  let head = 0;
  while (head < olds.length && olds[head] === news[head]) head++;
  let tail = 0;
  while (tail < Math.min(olds.length, news.length) - head && olds.at(-1 - tail) === news.at(-1 - tail))
    tail++;
  return [
    ...olds.slice(head, olds.length - tail).map((line) => `- ${line}`),
    ...news.slice(head, news.length - tail).map((line) => `+ ${line}`),
  ];
};

test.each<[string, PlanEdit, string[]]>([
  [
    "a value is replaced, its comment stays",
    { do: "set-field", task: "one", key: "Agent", value: "b" },
    ["- * agent: a   <!-- who -->", "+ * agent: b   <!-- who -->"],
  ],
  [
    "a list below a key is replaced whole",
    { do: "set-field", task: "one", key: "Writes", value: "z.ts" },
    ["- * files:", "-   - x.ts", "-   - y.ts", "+ * files: z.ts"],
  ],
  [
    "a new field has the style of the last one",
    { do: "set-field", task: "one", key: "Needs", value: "#two" },
    ["+ * needs: #two"],
  ],
  [
    "a bold field makes bold fields",
    { do: "add-field", task: "three", key: "Agent", value: "b" },
    ["+ **Agent:** b"],
  ],
  [
    "the first field of a task is set off from its text",
    { do: "set-field", task: "two", key: "Agent", value: "b" },
    ["+ - Agent: b", "+ "],
  ],
  [
    "a field goes with all its lines",
    { do: "remove-field", task: "one", key: "files" },
    ["- * files:", "-   - x.ts", "-   - y.ts"],
  ],
  ["an id is pinned", { do: "pin-id", task: "two" }, ["+ - Id: two", "+ "]],
  [
    "a task is appended behind the last one",
    { do: "append-task", title: "Four", fields: [{ key: "Agent", value: "d" }] },
    ["+ ### Four", "+ ", "+ - Agent: d", "+ "],
  ],
  [
    "a setting is replaced, its comment stays",
    { do: "set-front-matter", key: "Title", value: "a: b" },
    ["- title: Old   # the title", '+ title: "a: b"   # the title'],
  ],
  [
    "a setting that is a list is replaced whole",
    { do: "set-front-matter", key: "verify", value: "npm test" },
    ["- verify: [a, b]", "+ verify: npm test"],
  ],
  [
    "a setting is added below the others",
    { do: "set-front-matter", key: "active-developers", value: "3" },
    ["+ active-developers: 3"],
  ],
])("%s", (_what, edit, expected) => {
  expect(difference(plan, edited(plan, edit))).toEqual(expected);
  const windows = plan.replaceAll("\n", "\r\n");
  expect(edited(windows, edit)).toBe(edited(plan, edit).replaceAll("\n", "\r\n"));
});

test("a document without front matter gets one, and without tasks a heading for them", () => {
  expect(edited("# A\n", { do: "set-front-matter", key: "verify", value: "npm test" })).toBe(
    "---\nverify: npm test\n---\n\n# A\n",
  );
  expect(edited("# A", { do: "append-task", title: "One" })).toBe("# A\n\n## Tasks\n\n- [ ] One\n");
  expect(edited("", { do: "append-task", title: "One" })).toBe("## Tasks\n\n- [ ] One\n");
});

test("ticking changes one character, and ticking what is ticked none", () => {
  const text = "## Tasks\n- [ ] One\n- [X] Two";
  expect(edited(text, { do: "tick", task: "one", isDone: true })).toBe("## Tasks\n- [x] One\n- [X] Two");
  expect(edited(text, { do: "tick", task: "two", isDone: true })).toBe(text);
  expect(edited(text, { do: "tick", task: "two", isDone: false })).toBe("## Tasks\n- [ ] One\n- [ ] Two");
});

test.each<[string, string, PlanEdit, string]>([
  ["an unknown task", plan, { do: "pin-id", task: "nobody" }, "PLAN_UNKNOWN_TASK"],
  [
    "a value over two lines",
    plan,
    { do: "set-field", task: "one", key: "Agent", value: "a\n### Evil" },
    "PLAN_EDIT_VALUE",
  ],
  ["a tick without a box", plan, { do: "tick", task: "one", isDone: true }, "PLAN_NO_BOX"],
  [
    "a place below an open fence",
    "## Tasks\n### One\n```\n",
    { do: "append-task", title: "Two" },
    "PLAN_EDIT_LOST",
  ],
])("%s is refused", (_what, text, edit, code) => {
  expect(editPlan(text, edit)).toMatchObject({ problem: { code } });
});

const word = fc.constantFrom("alpha", "beta", "gamma", "délta", "x-ray");
const block = fc.constantFrom(
  "Text with `code` and @/a.md.",
  "Two lines\nof text",
  "```js\n### no\n- [ ] no\n```",
  "~~~\n- Agent: no\n~~~",
  "<!-- ### no\n- Agent: no -->",
  "| a | b |\n| - | - |\n| Agent: | c |",
  "- plain\n  - nested",
  "1. first\n2. second",
  "- [ ] a criterion\n- [x] another",
  "#### deeper",
  "> quoted",
  "    indented",
  "***",
  "",
);
const field = fc.constantFrom(
  "- Agent: a",
  "* Priority: low",
  "**Timeout:** 5 m",
  "Workflow: w",
  "- Writes:\n  - a.ts\n  - b.ts",
  "- Success: it\n  works",
  "- x-mine: 1",
  "+ shares:  db  ",
);
const headingTask = fc
  .record({
    title: word,
    gap: fc.boolean(),
    fields: fc.array(field, { maxLength: 4 }),
    blocks: fc.array(block, { maxLength: 3 }),
  })
  .map(({ title, gap, fields, blocks }) => ({
    title,
    text: [...(gap ? [""] : []), ...fields, "", ...blocks.flatMap((each) => [each, ""])].join("\n"),
  }));
const bulletTask = fc
  .record({
    title: word,
    isDone: fc.boolean(),
    fields: fc.array(fc.constantFrom("- agent: a", "- needs: none", "* files: a.ts"), { maxLength: 3 }),
  })
  .map(({ title, isDone, fields }) => ({
    title,
    isDone,
    text: fields.map((each) => `\n  ${each}`).join(""),
  }));
const documents = fc
  .record({
    front: fc.constantFrom("", "---\ntitle: x\nverify: npm test\n---\n", "---\n# only a comment\n---\n"),
    head: fc.array(block, { maxLength: 2 }),
    bullets: fc.array(bulletTask, { maxLength: 4 }),
    headings: fc.array(headingTask, { maxLength: 4 }),
    tail: fc.constantFrom("", "\n## Notes\n\n- [ ] no\n", "\n# Other\n\nText"),
    isWindows: fc.boolean(),
    bom: fc.boolean(),
  })
  .map(({ front, head, bullets, headings, tail, isWindows, bom }) => {
    const short = bullets.map(
      ({ title, isDone, text }, at) => `- [${isDone ? "x" : " "}] b${at} ${title}${text}\n`,
    );
    const long = headings.map(({ title, text }, at) => `### h${at} ${title}\n${text}\n`);
    const text = `${front}# Plan\n\n${head.map((each) => `${each}\n\n`).join("")}## Tasks\n\n${short.join("")}\n${long.join("")}${tail}`;
    return `${bom ? "\ufeff" : ""}${isWindows ? text.replaceAll("\n", "\r\n") : text}`;
  });
const values = fc.constantFrom("one", "two words", "#a, #b", "`src/**`", "a: b");

const said = (text: string) =>
  parsePlan(text).plan.tasks.map(({ place, fields, references, dependsOn, ...rest }) => ({
    ...rest,
    dependsOn: dependsOn.map(({ name }) => name),
    fields: fields.map(({ key, value }) => [key, text.slice(value.start, value.end)]),
  }));

test("in any document a field is set, others stay as they are, and setting it again changes nothing", () => {
  fc.assert(
    fc.property(
      documents,
      fc.nat(),
      fc.constantFrom("Agent", "Failure", "Writes", "x-note"),
      values,
      (text, pick, key, value) => {
        const before = said(text);
        const at = pick % Math.max(1, before.length);
        const task = before[at];
        if (!task) return;
        const after = edited(text, { do: "set-field", task: task.id, key, value });
        const now = said(after);
        expect(now[at]?.fields).toContainEqual([key.toLowerCase(), value]);
        expect(now.toSpliced(at, 1)).toEqual(before.toSpliced(at, 1));
        expect(now[at]?.success.length).toBe(task.success.length);
        expect(edited(after, { do: "set-field", task: task.id, key, value })).toBe(after);
        expect(after.includes("\r\n")).toBe(text.includes("\r\n"));
        if (text.includes("\r\n")) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
        const had = task.fields.some(([name]) => name === key.toLowerCase());
        if (had) return;
        const back = edited(after, { do: "remove-field", task: task.id, key });
        expect(said(back)).toEqual(before);
      },
    ),
    { numRuns: sized({ sample: 150, campaign: 750 }) },
  );
});

test("in any document a task is appended, ticked and pinned, and the others stay as they are", () => {
  fc.assert(
    fc.property(documents, fc.nat(), (text, pick) => {
      const before = said(text);
      const appended = said(
        edited(text, { do: "append-task", title: "Brand new", fields: [{ key: "Agent", value: "z" }] }),
      );
      const added = appended.findIndex(({ id }) => id === "brand-new");
      expect(appended[added]).toMatchObject({ agent: "z", isDone: false });
      expect(appended.toSpliced(added, 1)).toEqual(before);
      const at = pick % Math.max(1, before.length);
      const task = before[at];
      if (!task) return;
      const pinned = said(edited(text, { do: "pin-id", task: task.id }));
      expect(pinned[at]?.fields).toContainEqual(["id", task.id]);
      expect(pinned.toSpliced(at, 1)).toEqual(before.toSpliced(at, 1));
      if (task.form !== "bullet") return;
      const ticked = edited(text, { do: "tick", task: task.id, isDone: !task.isDone });
      expect(said(ticked)).toEqual(before.with(at, { ...task, isDone: !task.isDone }));
      expect(edited(ticked, { do: "tick", task: task.id, isDone: task.isDone })).toBe(text);
    }),
    { numRuns: sized({ sample: 150, campaign: 750 }) },
  );
});
