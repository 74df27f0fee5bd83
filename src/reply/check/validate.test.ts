import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { sized } from "../../../test/sized.ts";
import { replyJsonSchema } from "../reply-json-schema.ts";
import { roleSignals } from "../signal/role-signals.ts";
import { signalNames } from "../signal/signal.ts";
import { validate } from "./validate.ts";

const base = { file_path: "src/a.ts", description: "change the file" };
const create = { ...base, operation: "create", content: "x" };
const edits = [{ old_string: "a", new_string: "b" }];

function judged(...operations: unknown[]) {
  return validate({ file_operations: operations });
}

/** `index field CODE` of each problem. */
function problems(value: unknown): string[] {
  return validate(value).problems.map(({ index, field, code }) => `${index ?? "-"} ${field ?? "-"} ${code}`);
}

test("a reply with every kind of operation becomes data", () => {
  const verdict = validate({
    file_operations: [
      { ...create, content: "" },
      { ...base, operation: "append", content: "more", verify_content: false },
      { ...base, operation: "edit", content: "all", base_sha256: "AB".repeat(32) },
      {
        ...base,
        operation: "edit",
        edits: [...edits, { old_string: "c", new_string: "", replace_all: true }],
      },
      { ...base, operation: "edit", patch: "@@", edit_instructions: "as said in the patch" },
      { ...base, operation: "edit", edit_instructions: "rename a to b" },
      { ...base, operation: "delete" },
    ],
    specialist_summary: "all done",
    notes: [{ description: "d", context: "c", category: "requirements", status: "open", extra: 1 }],
    signal: "READY FOR AUDIT",
    outputs: [{ name: "schema.md", content: "…" }],
    delegations: [{ agent: "db-expert", request_type: "advice", request: "…" }],
  });
  const common = { filePath: "src/a.ts", description: "change the file", preview: true };
  expect(verdict).toEqual({
    reply: {
      operations: [
        { ...common, index: 0, operation: "create", content: "" },
        { ...common, index: 1, operation: "append", content: "more", preview: false },
        {
          ...common,
          index: 2,
          operation: "edit",
          edit: { by: "content", content: "all" },
          baseSha256: "ab".repeat(32),
        },
        {
          ...common,
          index: 3,
          operation: "edit",
          edit: {
            by: "replacements",
            replacements: [
              { oldString: "a", newString: "b", replaceAll: false },
              { oldString: "c", newString: "", replaceAll: true },
            ],
          },
        },
        { ...common, index: 4, operation: "edit", edit: { by: "patch", patch: "@@" } },
        {
          ...common,
          index: 5,
          operation: "edit",
          edit: { by: "instructions", instructions: "rename a to b" },
        },
        { ...common, index: 6, operation: "delete" },
      ],
      summary: "all done",
      notes: [{ description: "d", context: "c", category: "requirements", status: "open" }],
      outputs: [{ name: "schema.md", content: "…" }],
      delegations: [{ agent: "db-expert", requestType: "advice", request: "…" }],
      checkpoints: [],
    },
    problems: [],
    warnings: [],
  });
});

test.each([
  [
    "OPS-22 more than 10,000 operations",
    { file_operations: Array(10_001).fill(create) },
    "- file_operations LIMIT_OPS",
  ],
  ["no operations", { file_operations: [] }, "- file_operations SCHEMA_RANGE"],
  ["operations that are no list", { file_operations: create }, "- file_operations SCHEMA_TYPE"],
  ["no list of operations", { operations: [create] }, "- file_operations SCHEMA_REQUIRED"],
  ["JSON-16 a text", "{}", "- - SCHEMA_TYPE"],
  ["a list", [create], "- - SCHEMA_TYPE"],
  ["null", null, "- - SCHEMA_TYPE"],
  [
    "JSON-25 names that other code might call",
    JSON.parse('{"toJSON":"x","then":1}'),
    "- file_operations SCHEMA_REQUIRED",
  ],
  [
    "a summary that is no text",
    { file_operations: [create], specialist_summary: 5 },
    "- specialist_summary SCHEMA_TYPE",
  ],
  [
    "a note without a description",
    { file_operations: [create], notes: [{}] },
    "- notes[0].description SCHEMA_REQUIRED",
  ],
  [
    "half a character in a note",
    { file_operations: [create], notes: [{ description: "\ud800" }] },
    "- notes[0].description CONTENT_ILL_FORMED",
  ],
])("%s: the reply is refused", (_, value, expected) => {
  expect(problems(value)).toEqual([expected]);
});

test.each([
  ...["rm", "Create", "create ", "chmod", "symlink", "exec", "", "toString"].map(
    (operation): [string, object, string] => [
      `OPS-23 OPS-24 the operation "${operation}"`,
      { ...create, operation },
      "operation SCHEMA_ENUM",
    ],
  ),
  ["an operation that is a number", { ...create, operation: 5 }, "operation SCHEMA_TYPE"],
  ["no operation", { ...base, content: "x" }, "operation SCHEMA_REQUIRED"],
  ["OPS-25 create without content", { ...base, operation: "create" }, "content SCHEMA_REQUIRED"],
  ["OPS-25 append without content", { ...base, operation: "append" }, "content SCHEMA_REQUIRED"],
  ...[null, 5, {}, ["line1"], true].map((content): [string, object, string] => [
    `OPS-26 the content ${JSON.stringify(content)}`,
    { ...create, content },
    "content SCHEMA_TYPE",
  ]),
  ["OPS-27 a mode", { ...create, mode: "0777" }, "mode SCHEMA_UNKNOWN_KEY"],
  ["OPS-27 an encoding", { ...create, encoding: "hex" }, "encoding SCHEMA_UNKNOWN_KEY"],
  ["no path", { ...create, file_path: undefined }, "file_path SCHEMA_TYPE"],
  ["a path that is a list", { ...create, file_path: ["a"] }, "file_path SCHEMA_TYPE"],
  ["a description of nine characters", { ...create, description: "123456789" }, "description SCHEMA_RANGE"],
  [
    "OPS-03 an empty text to look for",
    { ...base, operation: "edit", edits: [{ old_string: "", new_string: "x" }] },
    "edits[0].old_string OPS_EMPTY_FIND",
  ],
  ["no edits in the list", { ...base, operation: "edit", edits: [] }, "edits SCHEMA_RANGE"],
  ["edits that are an object", { ...base, operation: "edit", edits: edits[0] }, "edits SCHEMA_TYPE"],
  [
    "an edit with a stranger",
    { ...base, operation: "edit", edits: [{ ...edits[0], count: 2 }] },
    "edits[0].count SCHEMA_UNKNOWN_KEY",
  ],
  [
    "JSON-12 a number where true or false is needed",
    { ...create, verify_content: 0 },
    "verify_content SCHEMA_TYPE",
  ],
  ["a hash that is too short", { ...create, base_sha256: "abc" }, "base_sha256 SCHEMA_RANGE"],
  ["a hash with a letter too far", { ...create, base_sha256: "g".repeat(64) }, "base_sha256 SCHEMA_RANGE"],
  ["create with edits", { ...create, edits }, "edits SCHEMA_CONFLICT"],
  [
    "append with instructions",
    { ...create, operation: "append", edit_instructions: "x" },
    "edit_instructions SCHEMA_CONFLICT",
  ],
  ["delete with content", { ...create, operation: "delete" }, "content SCHEMA_CONFLICT"],
  ["edit with nothing", { ...base, operation: "edit" }, "edits SCHEMA_REQUIRED"],
  ["edit with two changes", { ...base, operation: "edit", content: "x", edits }, "edits SCHEMA_CONFLICT"],
  ["half a character in the content", { ...create, content: "ab\ud800c" }, "content CONTENT_ILL_FORMED"],
  ["the other half", { ...create, content: "ab\udc00" }, "content CONTENT_ILL_FORMED"],
  ["the other half twice", { ...create, content: "\udc00\udc00" }, "content CONTENT_ILL_FORMED"],
  [
    "half a character in an edit",
    { ...base, operation: "edit", edits: [{ old_string: "a", new_string: "\ud83d" }] },
    "edits[0].new_string CONTENT_ILL_FORMED",
  ],
])("%s: the operation is refused, with index and field", (_, operation, expected) => {
  expect(problems({ file_operations: [create, operation] })).toEqual([`1 ${expected}`]);
});

test("an operation that is no object is named by its index", () => {
  expect(problems({ file_operations: [create, 5, null, [create]] })).toEqual([
    "1 - SCHEMA_TYPE",
    "2 - SCHEMA_TYPE",
    "3 - SCHEMA_TYPE",
  ]);
});

test("half a surrogate pair in a path is left to the path rules", () => {
  expect(judged({ ...create, file_path: "a\ud800" }).reply?.operations[0]?.filePath).toBe("a\ud800");
});

test("the problem of half a surrogate pair gives its offset", () => {
  expect(judged({ ...create, content: "😀ab\ud800c" }).problems[0]?.message).toMatch(/\\ud800\) at offset 4/);
});

test("all problems of a reply are reported at once", () => {
  expect(
    problems({
      specialist_summary: [],
      file_operations: [
        { op: "create", file_path: 3, description: "short", edits: [{ old_string: "", new_str: "x" }] },
        { ...base, operation: "rm", mode: 1, content: "\ud800" },
      ],
    }),
  ).toEqual([
    "- specialist_summary SCHEMA_TYPE",
    "0 operation SCHEMA_REQUIRED",
    "0 file_path SCHEMA_TYPE",
    "0 description SCHEMA_RANGE",
    "0 edits[0].old_string OPS_EMPTY_FIND",
    "0 edits[0].new_string SCHEMA_REQUIRED",
    "0 edits[0].new_str SCHEMA_UNKNOWN_KEY",
    "0 op SCHEMA_UNKNOWN_KEY",
    "1 operation SCHEMA_ENUM",
    "1 mode SCHEMA_UNKNOWN_KEY",
    "1 content CONTENT_ILL_FORMED",
  ]);
});

test("the number of problems reported for a reply is bounded", () => {
  const wrong = { ...base, operation: "edit", edits: Array(100_000).fill({}) };
  const { problems: found } = judged(wrong);
  expect(found).toHaveLength(1_001);
  expect(found.at(-1)).toMatchObject({
    code: "LIMIT_PROBLEMS",
    message: expect.stringContaining("199,000 more"),
  });
});

test.each([
  ["op", "operation"],
  ["filePath", "file_path"],
  ["path", "file_path"],
  ["descripton", "description"],
  ["Content", "content"],
  ["diff", "patch"],
])("the hint for the unknown key %s suggests %s", (key, meant) => {
  const { hint } = judged({ ...create, [key]: "x" }).problems[0] ?? { hint: "" };
  expect(hint).toContain(`Did you mean ${meant}?`);
});

test("XAGT-06 an unknown key on the envelope is a warning and changes nothing", () => {
  const { reply, warnings } = validate({ file_operations: [create], agent: "B", sumary: "x", toJSON: 1 });
  expect(reply?.operations).toHaveLength(1);
  expect(warnings.map(({ field, code }) => `${field} ${code}`)).toEqual([
    "agent SCHEMA_UNKNOWN_KEY",
    "sumary SCHEMA_UNKNOWN_KEY",
    "toJSON SCHEMA_UNKNOWN_KEY",
  ]);
});

test("no problem of a reply carries a raw control character or a long text of it", () => {
  const evil = `\u001b[31m\u202e\u0000${"x".repeat(10_000)}`;
  const { problems: found, warnings } = validate({
    [evil]: 1,
    file_operations: [{ ...create, operation: evil, description: "\u0007", [evil]: evil, file_path: [evil] }],
  });
  expect(found.length).toBeGreaterThan(2);
  for (const problem of [...found, ...warnings]) {
    const said = `${problem.message}${problem.hint}${problem.field}`;
    expect(said.length).toBeLessThan(600);
    expect(said).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  }
});

test("the JSON Schema of replies is closed on operations, described, and of draft 2020-12", () => {
  const schema = replyJsonSchema() as {
    $schema: string;
    required: string[];
    properties: {
      file_operations: { items: { anyOf: { additionalProperties: boolean; description: string }[] } };
    };
  };
  expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
  expect(schema.required).toEqual(["file_operations"]);
  const { anyOf } = schema.properties.file_operations.items;
  expect(anyOf).toHaveLength(6);
  for (const one of anyOf)
    expect(one).toMatchObject({ additionalProperties: false, description: expect.any(String) });
  // Fields without an effect so far are read, but not asked for.
  expect(JSON.stringify(schema)).not.toMatch(/edit_instructions|delegations/);
});

test("the JSON Schema of replies offers only keys with an effect", () => {
  const { properties } = replyJsonSchema() as { properties: Record<string, { description?: string }> };
  expect(Object.keys(properties).sort()).toEqual(
    ["file_operations", "notes", "outputs", "question", "signal", "specialist_summary"].sort(),
  );
  const { allowed, offered } = roleSignals.developer;
  const named = signalNames.filter((name) => properties.signal?.description?.includes(name));
  expect(named.toSorted()).toEqual(offered.toSorted());
  expect(offered.every((name) => allowed.includes(name))).toBe(true);
});

test("the JSON Schema of replies and the check agree on which operations are valid", () => {
  const schema = z.fromJSONSchema(replyJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);
  const maybe = <T>(...values: T[]) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...values) },
    );
  const operation = fc
    .record({
      operation: fc.constantFrom("create", "edit", "edit", "edit", "append", "delete", "rm"),
      file_path: fc.constantFrom("a", "b"),
      description: fc.constantFrom("long enough", "long enough", "long enough", "too short"),
      content: maybe<unknown>("", "x", "y", null),
      edits: maybe<unknown>(edits, edits, [], [{ old_string: "", new_string: "" }]),
      patch: maybe("@@"),
      edit_instructions: maybe("words"),
      base_sha256: maybe("a".repeat(64), "b"),
      verify_content: maybe<unknown>(true, false, 0),
      mode: maybe(undefined, undefined, "0777"),
    })
    .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
  let accepted = 0;
  fc.assert(
    fc.property(operation, (one) => {
      const value = { file_operations: [one] };
      const isRight = validate(value).reply !== undefined;
      accepted += isRight ? 1 : 0;
      // Instructions for an editor are read, but not asked for while nothing turns them into edits.
      const isOffered = !Object.hasOwn(one, "edit_instructions");
      expect(isRight && isOffered).toBe(schema.safeParse(value).success);
    }),
    { numRuns: sized({ sample: 600, campaign: 3_000 }) },
  );
  expect(accepted).toBeGreaterThan(50);
});
