import fc from "fast-check";
import { expect, test } from "vitest";
import { eachWord, readQuery } from "./words.ts";

const wordsOf = (text: string) => {
  const words: string[] = [];
  eachWord(text, (word, start, end) => {
    expect(end).toBeGreaterThan(start);
    expect(end).toBeLessThanOrEqual(text.length);
    words.push(word);
  });
  return words;
};

test.each<[string, string, string[]]>([
  ["case and accents do not count", "Straße CAFÉ cafe\u0301 — naïve", ["straße", "cafe", "cafe", "naive"]],
  [
    "identifiers fall apart",
    "user_id getUserName x2 a.b-c",
    ["user", "id", "getusername", "get", "user", "name", "x2", "a", "b", "c"],
  ],
  ["scripts without blanks give pairs", "日本語API 本 ไทย", ["日本", "本語", "api", "本", "ไท", "ทย"]],
  ["Korean, Cyrillic, Arabic", "한국 Привет سلام", ["한국".normalize("NFKD"), "привет", "سلام"]],
  ["pictures and marks are none", "🚀 → … ***", []],
  ["long words are known by their beginning", "a".repeat(100), ["a".repeat(40)]],
])("%s", (_title, text, expected) => {
  expect(wordsOf(text)).toEqual(expected);
});

test("a word begins with letters, wherever it stands", () => {
  const piece = fc.constantFrom("a", "B", "é", "e\u0301", "日", "9", " ", "-", "🚀", "\ud800", "_", "ß");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      for (const word of wordsOf(pieces.join(""))) expect(word).toMatch(/^[\p{L}\p{N}]+$/u);
    }),
  );
});

test("the last word of a query may go on, unless something stands behind it", () => {
  expect(readQuery("the Parser rea")).toEqual({ words: ["the", "parser"], prefix: "rea" });
  expect(readQuery("the the parser ")).toEqual({ words: ["the", "parser"] });
  expect(readQuery("getUserName")).toEqual({ words: [], prefix: "getusername" });
  expect(readQuery("日本語")).toEqual({ words: ["日本", "本語"] });
  expect(readQuery(" *** ")).toEqual({ words: [] });
});
