import { expect, test } from "vitest";
import { noPaint } from "./paint.ts";
import { problemsText, problemText, refusalText } from "./problems.ts";

const problem = { code: "PATH_DOTDOT", message: "it has dots", hint: "Write it without." };

test("a problem is shown as code and place, what is wrong and what to do, with the place as a person would look for it", () => {
  const whole = { ...problem, index: 1, path: "a.ts", field: "edits[0]" };
  expect(problemText(whole, "error", noPaint)).toBe(
    "✗ PATH_DOTDOT  file_operations[1], a.ts, edits[0]\n    it has dots\n    Write it without.\n",
  );
  expect(problemText(problem, "warning", noPaint)).toMatch(/^! PATH_DOTDOT\n/);
});

test("nothing in a problem can forge a line or act upon the terminal", () => {
  const text = problemText({ ...problem, path: "a\n✗ B", message: "x\u001b[2J" }, "error", noPaint);
  expect(text.split("\n")).toHaveLength(4);
  expect(text).not.toContain("\u001b");
});

test("problems beyond the limit are only counted", () => {
  const many = Array.from({ length: 60 }, () => problem);
  expect(problemsText(many, "error", noPaint)).toMatch(/… and 10 more \(all of them: --json\)\n$/);
  expect(refusalText([problem], "reply", noPaint)).toMatch(
    /reply refused, nothing was changed \(1 problem\)\n$/,
  );
});
