/** Reads JSON of unknown shape: a value that is missing or of another type reads as empty. */
import type { Json } from "../std/canonical-json.ts";

export function field(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The text of content that is either text or a list of parts with text in them. */
export function textOf(content: Json | undefined): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((part) => (typeof part === "string" ? part : text(field(part, "text"))))
    .filter((part) => part !== "")
    .join("\n");
}

/** Several contents as one text; empty ones leave no blank line. */
export function textOfAll(contents: readonly (Json | undefined)[]): string {
  return contents
    .map(textOf)
    .filter((one) => one !== "")
    .join("\n");
}

/** Parses a text as JSON; returns the text itself if it is not JSON. */
export function parsedOr(value: string): Json {
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json | undefined } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
