import fc from "fast-check";
import { expect, test } from "vitest";
import { cutMiddle, cutTo, padTo, widthOf, wrapped } from "./width.ts";

test.each<[string, number]>([
  ["", 0],
  ["store", 5],
  ["naïve", 5],
  ["nai\u0308ve", 5],
  ["限流", 4],
  ["ｆｕｌｌ", 8],
  ["ﾊﾝｶｸ", 4],
  ["한국어", 6],
  ["\u1112\u1161\u11ab", 2],
  ["✓ ▶ · … –", 9],
  ["█░▒", 3],
  ["🚀", 2],
  ["⌚", 2],
  ["❤", 1],
  ["❤\ufe0f", 2],
  ["🇩🇪", 2],
  ["👍🏽", 2],
  ["𠀀", 2],
])("the text %j fills %i columns", (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test.each<[string, number, string]>([
  ["store", 5, "store"],
  ["store", 4, "sto…"],
  ["store", 1, "…"],
  ["store", 0, ""],
  ["限流器", 6, "限流器"],
  ["限流器", 5, "限流…"],
  ["限流器", 4, "限…"],
  ["a限", 2, "a…"],
  ["nai\u0308ve", 5, "nai\u0308ve"],
])("the text %j cut to %i columns is %j", (text, width, cut) => {
  expect(cutTo(text, width)).toBe(cut);
});

test.each<[string, number, string]>([
  ["store", 5, "store"],
  ["rate-limiter-part-1", 11, "rate-…art-1"],
  ["rate-limiter-part-2", 10, "rate-…rt-2"],
  ["限流器をつくる", 9, "限流…くる"],
  ["store", 4, "sto…"],
])("the name %j cut to %i columns is %j", (text, width, cut) => {
  expect(cutMiddle(text, width)).toBe(cut);
});

const anyText = fc.string({ unit: "grapheme", maxLength: 60 });

test("a text cut to a width is never wider, and one that fits is not cut", () => {
  fc.assert(
    fc.property(anyText, fc.nat(70), (text, width) => {
      expect(widthOf(cutTo(text, width))).toBeLessThanOrEqual(width);
      if (widthOf(text) <= width) expect(cutTo(text, width)).toBe(text);
      expect(widthOf(cutMiddle(text, width))).toBeLessThanOrEqual(width);
      if (widthOf(text) <= width) expect(cutMiddle(text, width)).toBe(text);
    }),
  );
});

test("a text padded to a width is exactly that wide", () => {
  fc.assert(fc.property(anyText, fc.nat(70), (text, width) => widthOf(padTo(text, width)) === width));
});

test("a text is wrapped at its words, and the last line says that there was more", () => {
  const text = "what is the default limit per key";
  expect(wrapped(text, { width: 14, lines: 9 })).toEqual(["what is the", "default limit", "per key"]);
  expect(wrapped(text, { width: 14, lines: 2 })).toEqual(["what is the", "default limit…"]);
  expect(wrapped("longer-than-the-line", { width: 8, lines: 2 })).toEqual(["longer-…"]);
});

test("a text of a megabyte is cut to a width without walking to its end", () => {
  expect(cutTo("é".repeat(1_000_000), 3)).toBe("éé…");
});
