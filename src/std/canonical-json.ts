/**
 * One text for one value: keys in the order of their code units, no blanks. Equal values have equal texts, so a digest
 * of the text is a digest of the value. A value that JSON cannot express exactly is our bug and fails an assertion.
 */
import { assert } from "./assert.ts";

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const prototype = Object.getPrototypeOf(value);
    assert(prototype === Object.prototype || prototype === null, "only plain objects have a canonical form");
    const members = Object.entries(value as { readonly [key: string]: Json | undefined })
      .filter((member): member is [string, Json] => member[1] !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  assert(typeof value !== "number" || Number.isFinite(value), "only finite numbers have a canonical form");
  assert(["number", "string", "boolean"].includes(typeof value) || value === null, "it is a value of JSON");
  return JSON.stringify(value);
}
