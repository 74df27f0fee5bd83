import { expect, test } from "vitest";
import type { Edit, Operation } from "../reply.ts";
import { placeholderProblems } from "./placeholders.ts";

test.each([
  "// rest of the code unchanged",
  "// ... rest of the code ...",
  "// Rest of the code remains the same",
  "// ... existing code ...",
  "// ...existing code...",
  "// … existing code …",
  "# ... existing code ...",
  "# rest of the file unchanged",
  "# rest of the implementation remains unchanged",
  "/* ... existing code ... */",
  "/* rest of the file stays the same */",
  "<!-- ... existing content ... -->",
  "<!-- rest of the file unchanged -->",
  "{/* ... existing code ... */}",
  "{/* rest of the component unchanged */}",
  "-- ... remaining code ...",
  ";; ... existing code ...",
  "% ... rest of document ...",
  "[remaining code here]",
  "[existing code]",
  "[rest of the code remains unchanged]",
  "... existing code ...",
  "... rest of the file ...",
  "(... remaining methods unchanged ...)",
  "// existing code here",
  "// existing code unchanged",
  "// other methods remain the same",
  "// ... other existing methods ...",
  "// remaining imports unchanged",
  "// keep existing code",
  "// Keep the rest of the code unchanged",
  "// everything else remains the same",
  "// code omitted for brevity",
  "// ... (rest of the code remains the same) ...",
  "// ... unchanged ...",
  "// no changes here",
  "// the rest of the function is unchanged",
])("the line %s is a placeholder for left-out code", (line) => {
  expect(isPlaceholder(line)).toBe(true);
});

test.each([
  "// ...",
  "...",
  "// Other methods",
  "// Existing users keep their password",
  "// existing code",
  "# Remaining arguments",
  "# remaining imports",
  "// The rest of the arguments are passed on to git",
  "// rest of the function runs only when the file exists",
  "// Keep existing behaviour for old clients",
  "// keep the rest of the list sorted",
  "// leave the file open",
  "// unchanged since version 2",
  "// If unchanged, return early",
  "// the same as before, but sorted",
  "// existing file: keep it",
  "// No changes are written when the plan is empty",
  "const existing = code; // existing code",
  'log("... existing code ...");',
  "existing code",
  "The rest of the code is unchanged.",
  "- existing code",
  "[existing]: https://example.com",
  "[remaining tasks](tasks.md)",
  "* remaining: number of files",
  "return rest of the file",
  "// TODO: your code here",
  "# omitted fields are null",
])("the line %s is no placeholder", (line) => {
  expect(isPlaceholder(line)).toBe(false);
});

function isPlaceholder(line: string): boolean {
  const content = `before\n    ${line}\r\nafter`;
  return placeholderProblems([edit({ by: "content", content })]).errors.length > 0;
}

function operation(part: Partial<Operation>, filePath = "src/a.ts"): Operation {
  return { index: 3, filePath, description: "change the file", preview: true, ...part } as Operation;
}

function edit(by: Edit, filePath?: string): Operation {
  return operation({ operation: "edit", edit: by }, filePath);
}

const text = "function a() {\n  // ... existing code ...\n}\n";

test("a placeholder that takes the place of code is an error, with index and field", () => {
  const { errors, warnings } = placeholderProblems([edit({ by: "content", content: text })]);
  expect(errors).toMatchObject([{ code: "REPLY_PLACEHOLDER", index: 3, field: "content" }]);
  expect(errors[0]?.message).toContain('"// ... existing code ..."');
  expect(warnings).toEqual([]);
});

test("a placeholder in a replacement is an error too, unless the replaced text had it", () => {
  const into = { oldString: "function a() {\n  b();\n}", newString: text, replaceAll: false };
  const over = { ...into, oldString: text };
  expect(
    placeholderProblems([edit({ by: "replacements", replacements: [over, into] })]).errors,
  ).toMatchObject([{ field: "edits[1].new_string" }]);
});

test.each([
  ["a new page", operation({ operation: "create", content: text }, "docs/guide.md")],
  ["a new test", operation({ operation: "create", content: text }, "src/reader.test.ts")],
  ["a new test of Python", operation({ operation: "create", content: text }, "pkg/test_reader.py")],
  ["a new sample of a test", operation({ operation: "create", content: text }, "test/samples/a.ts")],
  ["text that is added", operation({ operation: "append", content: text })],
  ["documentation", edit({ by: "content", content: text }, "docs/guide.md")],
])("a placeholder in %s is a warning", (_, one) => {
  const { errors, warnings } = placeholderProblems([one]);
  expect(errors).toEqual([]);
  expect(warnings).toMatchObject([{ code: "REPLY_PLACEHOLDER" }]);
});

test.each(["src/a.ts", "src/latest.ts", "src/contest.py", "attest/a.ts"])(
  "a placeholder in the new file %s is an error, which says to write everything",
  (path) => {
    const { errors, warnings } = placeholderProblems([
      operation({ operation: "create", content: text }, path),
    ]);
    expect(errors).toMatchObject([{ code: "REPLY_PLACEHOLDER", index: 3, field: "content" }]);
    expect(errors[0]?.hint).toContain("new file");
    expect(warnings).toEqual([]);
  },
);

test("a new file that mentions a placeholder line without having one is fine", () => {
  const content = 'const line = "// rest of the code unchanged";\n// says "rest of the code unchanged"\n';
  expect(placeholderProblems([operation({ operation: "create", content })])).toEqual({
    errors: [],
    warnings: [],
  });
});

test("deletes, patches and edits in words are not searched for placeholders", () => {
  const found = placeholderProblems([
    operation({ operation: "delete" }),
    edit({ by: "patch", patch: text }),
    edit({ by: "instructions", instructions: text }),
  ]);
  expect(found).toEqual({ errors: [], warnings: [] });
});

test("a long line and a huge text are searched for placeholders quickly", () => {
  const line = `// ${"existing ".repeat(100_000)}`;
  expect(placeholderProblems([edit({ by: "content", content: `${line}\n`.repeat(4) })]).errors).toEqual([]);
});
