import fc from "fast-check";
import { expect, test } from "vitest";
import { eachWord, fold, readQuery } from "./words.ts";

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
  ["case and accents do not count", "Straße CAFÉ cafe\u0301 — naïve", ["strasse", "cafe", "cafe", "naive"]],
  [
    "identifiers fall apart",
    "user_id getUserName x2 a.b-c",
    ["user", "id", "getusername", "get", "user", "name", "x2", "a", "b", "c"],
  ],
  [
    "scripts without blanks give pairs",
    "日本語API 本 ไทย",
    ["日本", "本語", "語", "api", "本", "ไท", "ทย", "ย"],
  ],
  ["Korean, Cyrillic, Arabic", "한국 Привет سلام", ["한국".normalize("NFKD"), "привет", "سلام"]],
  ["marks are none", "→ … *** — \ufe0f", []],
  [
    "emoji are words, in any colour",
    "go🚀 👍🏽👍 ❤️ 🇩🇪 👨‍👩‍👧",
    ["go", "🚀", "👍", "👍", "❤", "🇩🇪", "👨‍👩‍👧"],
  ],
  [
    "letters in other shapes are the usual ones",
    "ﬁle ＡＰＩ ｶﾞｽ ガス",
    ["file", "api", "ガス", "ス", "ガス", "ス"],
  ],
  ["identifiers fall apart beside any dash", "getName—x", ["getname", "get", "name", "x"]],
  ["long words are known by their beginning", "a".repeat(100), ["a".repeat(40)]],
])("%s", (_title, text, expected) => {
  expect(wordsOf(text)).toEqual(expected);
});

test.each([
  ["Größe", "GRÖSSE"],
  ["größe", "grosse"],
  ["İstanbul", "ISTANBUL"],
  ["ısı", "ISI"],
  ["ΟΔΟΣ", "οδος"],
  ["ﬂuß", "FLUSS"],
])("%s and %s are one word", (one, other) => {
  expect(fold(one)).toBe(fold(other));
});

test("case folding gives the same letter for its capital form and when it is repeated", () => {
  const letters = Array.from({ length: 0x1_f000 }, (_, code) => code).flatMap((code) => {
    const letter = code >= 0xd800 && code <= 0xdfff ? "" : String.fromCodePoint(code);
    // Iota below a letter is one beside it in capitals, and a voice mark is no letter but by its name.
    return /\p{L}/u.test(letter) && !/[\u{345}\u{3099}\u{309a}]$/u.test(letter.normalize("NFKD"))
      ? [letter]
      : [];
  });
  const wrong = letters.filter((letter) => {
    const folded = fold(letter);
    const others = [letter.toUpperCase(), letter.toLowerCase(), letter.normalize("NFKC"), folded];
    return folded === "" || others.some((other) => fold(other) !== folded);
  });
  expect(letters.length).toBeGreaterThan(50_000);
  expect(wrong).toEqual([]);
});

test("a word for the search begins with a letter or is an emoji", () => {
  const piece = fc.constantFrom(
    "a",
    "B",
    "é",
    "e\u0301",
    "日",
    "9",
    " ",
    "-",
    "🚀",
    "\ud800",
    "_",
    "ß",
    "\u0301",
    "ﾞ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      for (const word of wordsOf(pieces.join(""))) expect(word).toMatch(/^([\p{L}\p{N}\p{M}]+|🚀)$/u);
    }),
  );
});

const term = (word: string, goesOn = false) => ({ word, goesOn });

test.each([
  ["the Parser rea", [term("the"), term("parser"), term("rea", true)]],
  ["the the parser ", [term("the"), term("parser")]],
  ["parser the parser", [term("the"), term("parser", true)]],
  ["getUserName", [term("getusername", true)]],
  ["日本語", [term("日本"), term("本語")]],
  ["本 x ", [term("本", true), term("x")]],
  [" *** ", []],
])(
  "a query matches longer words by its last word or single character, unless something follows it: %j",
  (query, terms) => {
    expect(readQuery(query)).toEqual({ terms });
  },
);
