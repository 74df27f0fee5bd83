/** Reading JSON of unknown shape: what is not there, or is something else, reads as nothing. */
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

/** Several contents as one text; what is empty leaves no line behind. */
export function textOfAll(contents: readonly (Json | undefined)[]): string {
  return contents
    .map(textOf)
    .filter((one) => one !== "")
    .join("\n");
}

/** What stands in a text as JSON; the text itself where it is none. */
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
