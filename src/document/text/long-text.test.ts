import fc from "fast-check";
import { expect, test } from "vitest";
import { applySplices, type Splice } from "../../plan/edit/splice.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { LongText } from "./long-text.ts";

/** Includes halves of characters, which two splices may bring together. */
const word = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc
    .array(fc.constantFrom("a", "é", "日", "\ud83d", "\ude00", "\n"), { maxLength: 6 })
    .map((all) => all.join("")),
);
const begun = fc.oneof(
  word,
  fc.tuple(word, fc.nat(120_000)).map(([one, length]) => (one || "日").repeat(length).slice(0, length)),
);
const edit = fc.record({
  gap: fc.oneof(fc.nat(5), fc.nat(70_000)),
  cut: fc.oneof(fc.nat(3), fc.nat(70_000)),
  text: fc.oneof(
    word,
    word.map((one) => one.repeat(20_000)),
  ),
});
const edits = fc.array(fc.array(edit, { maxLength: 4 }), { maxLength: 6 });

test("a long text has the same characters and bytes as a string after the same edits", () => {
  fc.assert(
    fc.property(begun, edits, (begin, requested) => {
      let text = begin;
      let long = LongText.of(begin);
      for (const all of requested) {
        const splices = splicesIn(text, all);
        text = applySplices(text, splices);
        long = long.spliced(splices);
        expect(long.length).toBe(text.length);
        expect(Buffer.concat(long.encoded).equals(encodeUtf8(text))).toBe(true);
      }
      expect(long.whole === text).toBe(true);
    }),
  );
});

test("any piece of a long text is that piece of the string", () => {
  fc.assert(
    fc.property(begun, edits, fc.nat(), fc.nat(), (begin, requested, one, other) => {
      let text = begin;
      let long = LongText.of(begin);
      for (const all of requested) {
        const splices = splicesIn(text, all);
        text = applySplices(text, splices);
        long = long.spliced(splices);
      }
      const start = one % (text.length + 1);
      const end = start + (other % (text.length + 2));
      expect(long.slice(start, end) === text.slice(start, end)).toBe(true);
    }),
  );
});

test("two halves of a character that meet in a long text are one in the bytes, however far apart they were", () => {
  const apart = `\ud83d${"x".repeat(200_000)}\ude00`;
  const met = LongText.of(apart).spliced([{ start: 1, end: 200_001, text: "" }]);
  expect(Buffer.concat(met.encoded).toString()).toBe("😀");
});

test("an edit in a long text encodes only the bytes around it again", () => {
  const before = LongText.of("one line of some words\n".repeat(50_000));
  const old = new Set(before.encoded);
  const at = before.length / 2;
  const fresh = before
    .spliced([{ start: at, end: at + 3, text: "two" }])
    .encoded.filter((bytes) => !old.has(bytes));
  expect(old.size).toBeGreaterThan(20);
  expect(fresh).toHaveLength(1);
});

test.each([
  ["its end", (length: number) => length],
  ["its beginning", () => 0],
  ["its midst", (length: number) => length >> 1],
])("text added at %s of a long text bit by bit is kept in few blocks", (_where, place) => {
  let text = LongText.of("some words ".repeat(10_000));
  for (let times = 0; times < 2_000; times += 1) {
    const at = place(text.length);
    text = text.spliced([{ start: at, end: at, text: "a few more " }]);
  }
  expect(text.length).toBe(12_000 * 11);
  expect(text.encoded.length).toBeLessThan(12);
});

test("cutting a long text bit by bit leaves few blocks", () => {
  let text = LongText.of("some words ".repeat(100_000));
  while (text.length > 20_000) {
    const splices: Splice[] = [];
    for (let at = 0; at + 1_000 <= text.length; at += 1_100)
      splices.push({ start: at, end: at + 900, text: "" });
    text = text.spliced(splices);
  }
  expect(text.encoded.length).toBeLessThan(3);
});

function splicesIn(of: string, requested: readonly { gap: number; cut: number; text: string }[]): Splice[] {
  let at = 0;
  return requested.map(({ gap, cut, text }) => {
    const start = Math.min(of.length, at + gap);
    at = Math.min(of.length, start + cut);
    return { start, end: at, text };
  });
}
