import fc from "fast-check";
import { expect, test } from "vitest";
import { dangerous } from "../../std/unicode.ts";
import { jsonText } from "./json-text.ts";

test("JSON output has no raw character that acts on a terminal, and parses to the same text", () => {
  const hostile = "\u001b[2J\u009b31m\u202eabc\u200b\u2028\u{e0041} 限流 🚀";
  for (const indent of [0, 2]) {
    const text = jsonText({ said: hostile, list: [1] }, indent);
    expect(text.replaceAll("\n", "").match(dangerous)).toBeNull();
    expect(JSON.parse(text)).toEqual({ said: hostile, list: [1] });
  }
});

test("any data written as JSON is read back as it was", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(jsonText(value, 2))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
