import { expect, test } from "vitest";
import { schemaExample } from "./schema-example.ts";

test.for([
  [{ type: "string" }, ""],
  [{ type: "string", minLength: 3 }, "xxx"],
  [{ type: "integer", minimum: 1, maximum: 100 }, 1],
  [{ type: "NUMBER" }, 0],
  [{ type: ["null", "boolean"] }, false],
  [{ type: "null" }, null],
  [{ enum: ["low", "high"] }, "low"],
  [{ const: 7 }, 7],
  [{ anyOf: [{ type: "string" }, { type: "number" }] }, ""],
  [{ type: "array", items: { type: "string" } }, []],
  [{ type: "ARRAY", items: { type: "STRING" }, minItems: 2 }, ["", ""]],
  [{ properties: { a: { type: "string" } } }, { a: "" }],
  [{ type: "object", properties: { a: {}, b: { type: "number" } }, required: ["b"] }, { b: 0 }],
  [{ $ref: "#/$defs/it", $defs: { it: { const: 1 } } }, 1],
  [{ $ref: "#" }, null],
  [{}, null],
  [true, null],
] as const)("the schema %j has the example %j", ([schema, example]) => {
  expect(schemaExample(schema)).toEqual(example);
});
