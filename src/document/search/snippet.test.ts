import fc from "fast-check";
import { expect, test } from "vitest";
import { snippet } from "./snippet.ts";
import { readQuery } from "./words.ts";

test.each<[string, string, string, string]>([
  [
    "words are marked where they stand",
    "The Parser\nreads it.",
    "parser read",
    "The **Parser** **reads** it.",
  ],
  ["the beginning is shown where nothing is found", "Some text.", "other ", "Some text."],
  ["pairs of characters that overlap are one", "これは日本語です", "日本語", "これは**日本語**です"],
  ["characters that act are left out", "a \u001b[31m \u202e word", "word", "a [31m **word**"],
])("%s", (_title, text, query, expected) => {
  expect(snippet(text, readQuery(query))).toBe(expected);
});

test("a snippet shows the place with the most different words of the query", () => {
  const filler = "lorem ipsum dolor ".repeat(40);
  const shown = snippet(`token ${filler} refresh a token here ${filler}`, readQuery("refresh token "));
  expect(shown).toContain("**refresh** a **token** here");
  expect(shown).toMatch(/^… .* …$/);
});

test("a snippet is one line, never longer than its width and its marks", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("word", "日本", " ", "\n", "🚀", "x".repeat(90))), (pieces) => {
      const shown = snippet(pieces.join(""), readQuery("word 日本"));
      expect(shown).not.toMatch(/[\n\ud800-\udbff](?![\udc00-\udfff])/);
      expect(shown.replaceAll("**", "").length).toBeLessThan(260);
    }),
  );
});
