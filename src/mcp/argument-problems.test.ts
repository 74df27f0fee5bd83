import { expect, test } from "vitest";
import { z } from "zod";
import { argumentProblems } from "./argument-problems.ts";
import { tool } from "./tool.ts";
import { listedTool } from "./tool-listing.ts";

const example = tool({
  name: "example",
  group: "documents",
  title: "Example",
  description: "For the test.",
  does: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    document: z.string().min(1).max(9),
    count: z.int().min(1).optional(),
    mode: z.enum(["fast", "slow"]).optional(),
    operations: z
      .array(
        z.discriminatedUnion("operation", [
          z.strictObject({ operation: z.literal("create"), title: z.string() }),
          z.strictObject({ operation: z.literal("edit"), slug: z.string(), note: z.string().optional() }),
        ]),
      )
      .max(2)
      .optional(),
    either: z.union([z.string(), z.strictObject({ path: z.string() })]).optional(),
  }),
  output: z.object({}),
  call: async () => ({ data: {}, text: "" }),
});

const cases: readonly (readonly [title: string, given: object, ...problems: object[]])[] = [
  ["nothing", {}, { code: "SCHEMA_REQUIRED", field: "document", hint: "Add it: a text." }],
  [
    "a number for a text",
    { document: 3 },
    { code: "SCHEMA_TYPE", message: "example: document is 3; expected a text" },
  ],
  ["null for a text", { document: null }, { code: "SCHEMA_TYPE" }],
  ["an empty text", { document: "" }, { code: "SCHEMA_RANGE", hint: "Write a text that is not empty." }],
  [
    "a long text",
    { document: "x".repeat(10) },
    { code: "SCHEMA_RANGE", hint: "Write a text of at most 9 characters." },
  ],
  ["half a number", { document: "a", count: 1.5 }, { code: "SCHEMA_TYPE", hint: "Write a whole number." }],
  [
    "a small number",
    { document: "a", count: 0 },
    { code: "SCHEMA_RANGE", hint: "Write a number of at least 1." },
  ],
  [
    "a word of no list",
    { document: "a", mode: "fsat" },
    { code: "SCHEMA_ENUM", hint: "Write one of fast, slow. Did you mean fast?" },
  ],
  [
    "a key that is nearly one",
    { document: "a", cuont: 1 },
    { code: "SCHEMA_UNKNOWN_KEY", field: "cuont", hint: "Did you mean count? Otherwise leave it out." },
  ],
  [
    "a key that is nothing",
    { document: "a", zzzzzzzz: 1 },
    {
      code: "SCHEMA_UNKNOWN_KEY",
      hint: "Leave it out. Known here: document, count, mode, operations, either.",
    },
  ],
  [
    "a key inside",
    { document: "a", operations: [{ operation: "edit", slug: "s", nte: "x" }] },
    {
      code: "SCHEMA_UNKNOWN_KEY",
      field: "operations[0].nte",
      hint: "Did you mean note? Otherwise leave it out.",
    },
  ],
  [
    "an operation that is none",
    { document: "a", operations: [{ operation: "crate", title: "t" }] },
    { field: "operations[0].operation", hint: expect.stringContaining("create") },
  ],
  [
    "a long list",
    { document: "a", operations: Array(3).fill({ operation: "create", title: "t" }) },
    { code: "SCHEMA_RANGE", hint: "Write a list of at most 2." },
  ],
  [
    "neither of two forms",
    { document: "a", either: { pth: "x" } },
    { code: "SCHEMA_REQUIRED", field: "either.path" },
    { code: "SCHEMA_UNKNOWN_KEY", field: "either.pth" },
  ],
  [
    "everything at once",
    { docment: "a", mode: 3, operations: "x" },
    { code: "SCHEMA_REQUIRED", field: "document" },
    { field: "mode" },
    { code: "SCHEMA_TYPE", field: "operations" },
    { code: "SCHEMA_UNKNOWN_KEY", field: "docment" },
  ],
];

test.for(cases)("the MCP argument mistake %s is reported with what to write", ([, given, ...expected]) => {
  const read = example.input.safeParse(given);
  const schema = listedTool(example).inputSchema;
  const problems = read.error ? argumentProblems(read.error, { tool: "example", given, schema }) : [];
  expect(problems).toMatchObject(expected);
  for (const { message, hint } of problems) expect(`${message}${hint}`).not.toMatch(/[\n]|undefined/);
});

test("of a thousand argument mistakes fifty are reported", () => {
  const given = {
    document: "a",
    ...Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, 1])),
  };
  const { error } = example.input.safeParse(given);
  const schema = listedTool(example).inputSchema;
  expect(error && argumentProblems(error, { tool: "example", given, schema })).toHaveLength(50);
});
