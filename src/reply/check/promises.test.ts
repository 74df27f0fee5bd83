import { expect, test } from "vitest";
import { emptyPromise } from "./promises.ts";

test.each([
  "I have created src/x.ts with the new function.",
  "I've updated `src/db/users.ts` and the tests.",
  "I’ve added the endpoint in api/users.py.",
  "Done! I created the file and everything passes.",
  "I have successfully implemented the change in src/app/main.go.",
  "I have now also updated the following files:",
  "We have modified src/index.html.",
  "The file src/x.ts has been created.",
  "src/x.ts was successfully updated.",
  "All files have been updated.",
  "Summary:\n- Created `src/x.ts`\n- Updated package.json",
  "✅ Created src/x.ts",
  "**Updated** src/x.ts to use the new API",
])("%s: recognised as a claim without operations", (words) => {
  expect(emptyPromise(words)).toMatchObject({ code: "REPLY_CLAIM_ONLY" });
});

test.each([
  '<function_calls>\n<invoke name="Write">\n<parameter name="file_path">a</parameter>',
  "<function_calls>",
  '<invoke name="Edit">',
  '<tool_call>{"name": "write_file"}</tool_call>',
  "<tool_use>",
  "<write_to_file>\n<path>a.txt</path>",
  '{"tool": "Write", "file_path": "a.txt", "content": "x"}',
  '```json\n{"name": "str_replace_editor", "arguments": {"command": "create"}}\n```',
  '{"tool_name":"functions.apply_patch"}',
  'Write(file_path="src/x.ts", content="…")',
  "Edit({ file_path: 'src/x.ts' })",
  'I will now write it: create_file(path="a.txt")',
  "*** Begin Patch\n*** Add File: a.txt",
  "[TOOL_CALLS]",
  "<|tool_calls_begin|>",
])("%s: recognised as a tool call written out as text", (words) => {
  expect(emptyPromise(words)).toMatchObject({ code: "REPLY_TOOL_CALL_TEXT" });
});

test.each([
  "I could not find src/x.ts, so nothing was done.",
  "I have not created src/x.ts yet: which database do you use?",
  "Should I have created src/x.ts?",
  "You could write the file src/x.ts by hand.",
  "I would create src/x.ts, if you agree.",
  "I have read src/x.ts and package.json.",
  "I have added up the numbers.",
  "The function writes (and reads) the file.",
  "Please edit (by hand) the file.",
  "The name of the tool is Write.",
  "",
])("%s: neither an empty claim nor a written tool call", (words) => {
  expect(emptyPromise(words)).toBeUndefined();
});

test("the message about an empty claim quotes a bounded part of the words, without control characters", () => {
  const { message } = emptyPromise(`I have created \u001b[31m\u202e${"x".repeat(500)} src/x.ts file`) ?? {};
  const { message: other } =
    emptyPromise(`I have created src/x.ts \u001b[31m\u202e${"x".repeat(5000)}`) ?? {};
  for (const said of [message ?? "", other ?? ""]) {
    expect(said.length).toBeLessThan(300);
    expect(said).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  }
});
