import { expect, test } from "vitest";
import { story } from "../../test/view/story.ts";
import { openQuestions, questionText, questionWords } from "./questions.ts";
import { noPaint } from "./text/paint.ts";
import { widthOf } from "./text/width.ts";

const look = { columns: 60, paint: noPaint, ascii: false };

test("a question shows who asks, for how long, what depends on it, and what to type", () => {
  const told = story("a", "b after a")
    .asks("a", "Which limit?\nIt becomes public.", ["600/min", "60/min"])
    .after(72_000);
  const [question] = openQuestions(told.state, told.now);
  expect(question && questionText(question, look)).toEqual([
    "? q1  a · asked by backend · 1m12s ago · holds up 1 task",
    "    Which limit?",
    "    It becomes public.",
    "    1  600/min",
    "    2  60/min",
    '    cox answer q1 "…"',
  ]);
});

test("a confirmation lists what it would allow, with the commands for yes and no", () => {
  const told = story("a").wantsAllowed("a", [
    { code: "DELETE", path: "src/old.ts", message: "deletes src/old.ts" },
  ]);
  const [question] = openQuestions(told.state, told.now);
  expect(question && questionText(question, look).slice(2)).toEqual([
    "    - deletes src/old.ts",
    "    cox diff a",
    "    cox confirm q1",
    "    cox deny q1",
  ]);
});

test("nothing in a question acts on the terminal, and no line but a command is wider than it", () => {
  const hostile = `\u001b[2J\u009b ${"長い".repeat(200)}\ttab`;
  const told = story("a").asks("a", hostile, [hostile]);
  const lines = openQuestions(told.state, told.now).flatMap((one) => questionText(one, look));
  expect(lines.join("\n")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(60);
});

test("a confirmation shown by an MCP client stays the same over time, and lists all that a yes allows", () => {
  const items = Array.from({ length: 60 }, (_, at) => ({
    code: "DELETE",
    path: `${at}.ts`,
    message: "\u001b[2J",
  }));
  const told = story("a").wantsAllowed("a", items);
  const words = () => openQuestions(told.state, told.now).map(questionWords);
  const [first = ""] = words();
  told.after(72_000);
  expect(words()).toEqual([first]);
  expect(first).toContain("- 49.ts:");
  expect(first).toContain("… 10 more (all of them: cox questions --json)");
  expect(first).toContain("What would be changed: cox diff a");
  expect(first).not.toContain("\u001b");
});

test("the end of a command's output is shown below the question about it", () => {
  const printed = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
  const told = story("a").asks("a", ["What now?", ...printed, "All: cox why a --output"].join("\n"));
  const [question] = openQuestions(told.state, told.now);
  expect(question && questionText(question, look).slice(1, 10)).toEqual([
    "    What now?",
    "    … 34 more lines",
    ...["35", "36", "37", "38", "39", "40"].map((at) => `    line ${at}`),
    "    All: cox why a --output",
  ]);
});
