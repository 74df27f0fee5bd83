/**
 * Makes one of the smallest values that fit a JSON Schema. It answers requests that a client makes for itself, such as
 * which model to use, and that no script foresees.
 */
import type { Json } from "../std/canonical-json.ts";
import { field, list, text } from "./any-json.ts";

export function schemaExample(schema: Json): Json {
  return example(schema, { root: schema, depth: 0 });
}

interface Within {
  readonly root: Json;
  readonly depth: number;
}

/** A deeper schema refers to itself. */
const depthMax = 20;

function example(schema: Json, { root, depth }: Within): Json {
  if (depth > depthMax) return null;
  const inner = (one: Json) => example(one, { root, depth: depth + 1 });
  const fixed = field(schema, "const") ?? list(field(schema, "enum"))[0] ?? field(schema, "default");
  if (fixed !== undefined) return fixed;
  const reference = field(schema, "$ref");
  if (typeof reference === "string") return inner(referred(root, reference));
  const [choice] = list(field(schema, "anyOf") ?? field(schema, "oneOf") ?? field(schema, "allOf"));
  if (choice !== undefined) return inner(choice);
  switch (typeOf(schema)) {
    case "object":
      return exampleObject(schema, inner);
    case "array": {
      const count = size(field(schema, "minItems"));
      return Array.from({ length: count }, () => inner(field(schema, "items") ?? {}));
    }
    case "string":
      return "x".repeat(size(field(schema, "minLength")));
    case "integer":
    case "number": {
      const minimum = field(schema, "minimum");
      return typeof minimum === "number" ? minimum : 0;
    }
    case "boolean":
      return false;
    default:
      return null;
  }
}

/** Some vendors write the types in capitals. */
function typeOf(schema: Json): string {
  const type = field(schema, "type");
  const named = text(Array.isArray(type) ? type.find((one) => one !== "null") : type).toLowerCase();
  return named === "" && field(schema, "properties") !== undefined ? "object" : named;
}

function exampleObject(schema: Json, inner: (schema: Json) => Json): Json {
  const properties = field(schema, "properties") ?? {};
  const required = field(schema, "required");
  const names = required === undefined ? Object.keys(properties ?? {}) : list(required).map(text);
  return Object.fromEntries(names.map((name) => [name, inner(field(properties, name) ?? {})]));
}

function size(value: Json | undefined): number {
  return typeof value === "number" ? Math.min(Math.max(0, Math.ceil(value)), 1000) : 0;
}

function referred(root: Json, reference: string): Json {
  const steps = reference
    .replace(/^#\/?/, "")
    .split("/")
    .filter((step) => step !== "");
  return steps.reduce<Json | undefined>((inner, step) => field(inner, step), root) ?? {};
}
