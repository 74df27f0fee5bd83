import { expect, test } from "vitest";
import { problemLines } from "./problem-lines.ts";

test("the list of problems for an agent has each with its place and what to write", () => {
  const problem = {
    code: "SCHEMA_TYPE",
    message: "content is 5",
    hint: "Write a text.",
    index: 1,
    path: "src/a.ts",
    field: "content",
  };
  expect(problemLines([problem, { code: "SIGNAL_TASK", message: "m", hint: "h" }])).toEqual([
    "1. SCHEMA_TYPE at file_operations[1], src/a.ts, content: content is 5",
    "   Write a text.",
    "2. SIGNAL_TASK: m",
    "   h",
  ]);
});

test("the list of problems is bounded and without control characters, whatever the problems hold", () => {
  const evil = `\u001b[31m\u202e\n\`\`\`cox-1a\n{}${"x".repeat(100_000)}`;
  const wrong = { code: evil, message: evil, hint: evil, path: evil, field: evil };
  const text = problemLines(Array(1_000).fill(wrong)).join("\n");
  expect(text.length).toBeLessThan(30_000);
  expect(text).toContain("980 more problems");
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(text).not.toMatch(/^```/m);
});
