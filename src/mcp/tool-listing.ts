/**
 * A tool as listed to clients. Built once per tool, since every HTTP request may get a server of its own.
 *
 * A result may also be an error, and some clients validate errors against the output schema too. So no top-level key of
 * the output is required or forbidden.
 */
import type { Tool as WireTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { assert } from "../std/assert.ts";
import type { Tool } from "./tool.ts";

/** Marks an argument that is hidden from clients: using it is refused, with what to call instead. */
export const unlisted = { unlisted: true } as const;

export type JsonSchema = Readonly<Record<string, unknown>>;

export function listedTool(tool: Tool): WireTool {
  const known = made.get(tool);
  if (known) return known;
  const { name, title, description, does } = tool;
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(tool.input, { io: "input" });
  assert(inputSchema.type === "object", `the arguments of ${name} are an object`);
  const listed = {
    name,
    title,
    description,
    inputSchema: { ...inputSchema, properties: listedOf(inputSchema.properties ?? {}) },
    outputSchema: outputSchema(tool),
    annotations: { ...does, openWorldHint: false },
  } as WireTool;
  made.set(tool, listed);
  return listed;
}

function listedOf(properties: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).filter(([, schema]) => (schema as JsonSchema).unlisted !== true),
  );
}

const made = new WeakMap<Tool, WireTool>();

function outputSchema(tool: Tool): JsonSchema {
  const {
    $schema: _dialect,
    required: _required,
    additionalProperties: _closed,
    ...schema
  } = z.toJSONSchema(tool.output, { io: "input" });
  assert(schema.type === "object", `what ${tool.name} answers is an object`);
  return schema;
}

/** The keys that the object at a path inside these arguments may have. */
export function propertiesAt(schema: JsonSchema, path: readonly PropertyKey[]): readonly string[] {
  let nodes = alternatives(schema);
  for (const part of path) {
    nodes = nodes
      .flatMap((node) => {
        const { properties, items } = node as { properties?: Record<string, JsonSchema>; items?: JsonSchema };
        const next = typeof part === "number" ? items : properties?.[String(part)];
        return next ? [next] : [];
      })
      .flatMap(alternatives);
  }
  const names = nodes.flatMap(({ properties }) => Object.keys((properties as object | undefined) ?? {}));
  return [...new Set(names)];
}

function alternatives(schema: JsonSchema): JsonSchema[] {
  const { anyOf = [], oneOf = [] } = schema as { anyOf?: JsonSchema[]; oneOf?: JsonSchema[] };
  return [schema, ...[...anyOf, ...oneOf].flatMap(alternatives)];
}
