import { expect, test } from "vitest";
import { readReply } from "./read.ts";

const operation = { operation: "create", file_path: "a.txt", description: "make the file", content: "x" };

function codes(reply: string): string[] {
  return readReply(reply).problems.map(({ code }) => code);
}

function block(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;
}

test("words beside valid operations are never checked for claims", () => {
  const words =
    'I have created a.txt. Write(file_path="a.txt") <function_calls> // ... existing code ...\n\n';
  expect(readReply(words + block({ file_operations: [operation] }))).toMatchObject({
    reply: { operations: [{ filePath: "a.txt" }] },
    problems: [],
    warnings: [],
  });
});

test.each([
  ["a claim", "I have created src/x.ts.", "REPLY_CLAIM_ONLY"],
  ["a claim beside a sample", `I have created src/x.ts:\n${block({ name: "x" })}`, "REPLY_CLAIM_ONLY"],
  [
    "a claim beside an empty list",
    `I have created src/x.ts.\n${block({ file_operations: [] })}`,
    "REPLY_CLAIM_ONLY",
  ],
  [
    "a claim in the summary of an empty list",
    '{"file_operations":[],"specialist_summary":"I updated a.txt"}',
    "REPLY_CLAIM_ONLY",
  ],
  ["a tool call", '<function_calls><invoke name="Write">', "REPLY_TOOL_CALL_TEXT"],
  ["a tool call as JSON", '{"tool":"Write","file_path":"a.txt","content":"x"}', "REPLY_TOOL_CALL_TEXT"],
  ["neither", "Which database do you use?", "EXTRACT_NONE"],
  ["an empty list and no claim", block({ file_operations: [] }), "SCHEMA_RANGE"],
])("a reply without operations but with %s is reported as that", (_, reply, code) => {
  expect(codes(reply)).toEqual([code]);
});

test.each([
  [
    "broken operations",
    `I have created a.txt.\n${block({ file_operations: [operation] }).replace("]", ",]")}`,
    "JSON_SYNTAX",
  ],
  ["a cut-off reply", '{"specialist_summary":"I have created a.txt","file_op', "JSON_SYNTAX"],
  [
    "a reply encoded twice",
    JSON.stringify('{"file_operations":[],"specialist_summary":"I have created a.txt"}'),
    "SCHEMA_TYPE",
  ],
  [
    "operations in the wrong place",
    `I have created a.txt.\n${JSON.stringify({ result: { file_operations: [operation] } })}`,
    "SCHEMA_REQUIRED",
  ],
])("a claim in a reply does not hide %s", (_, reply, code) => {
  expect(codes(reply)).toEqual([code]);
});

test("placeholders and other mistakes of a reply are reported together", () => {
  const left = {
    ...operation,
    operation: "edit",
    file_path: "a.ts",
    content: "a\n// rest of the code unchanged\n",
  };
  const reply = block({ file_operations: [left, { ...operation, content: 5 }] });
  expect(readReply(reply).problems.map(({ index, code }) => `${index} ${code}`)).toEqual([
    "1 SCHEMA_TYPE",
    "0 REPLY_PLACEHOLDER",
  ]);
});
