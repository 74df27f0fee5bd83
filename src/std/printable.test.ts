import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "../../test/sized.ts";
import { firstLine, oneLine, printableLine, printableLines, quote, sentence } from "./printable.ts";

/** Characters that act on a terminal or deceive a reader; written independently of the code under test. */
const acts =
  /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]|\u{e0041}/u;

test.each([
  ["TERM-01 a cleared screen", "\u001b[2J\u001b[H", "\\u001b[2J\\u001b[H"],
  ["the clipboard", "\u001b]52;c;ZXZpbA==\u0007", "\\u001b]52;c;ZXZpbA==\\u0007"],
  [
    "a link that shows another address",
    "\u001b]8;;http://evil\u001b\\ok",
    "\\u001b]8;;http://evil\\u001b\\ok",
  ],
  ["TERM-04 a device control string", "\u001bPdata\u001b\\", "\\u001bPdata\\u001b\\"],
  ["TERM-04 a window title", "\u001b]0;title\u0007", "\\u001b]0;title\\u0007"],
  ["TERM-04 a report request", "\u001b[6n", "\\u001b[6n"],
  ["TERM-04 the one-byte CSI", "\u009b2J", "\\u009b2J"],
  ["TERM-05 a line written over", "safe\rEVIL", "safe\\rEVIL"],
  ["TERM-05 backspaces", "ab\b\bcd", "ab\\b\\bcd"],
  ["TERM-06 a bidi override", "src/\u202egnp.exe", "src/\\u202egnp.exe"],
  ["TERM-07 a forged log line", "x\n[coordinator] all tests passed", "x\\n[coordinator] all tests passed"],
  ["a zero-width space", "a\u200bb", "a\\u200bb"],
  ["a tag character", "a\u{e0041}b", "a\\udb40\\udc41b"],
  ["a Hangul filler", "a\u3164b", "a\\u3164b"],
  ["a line separator", "a\u2028b", "a\\u2028b"],
  ["half of a surrogate pair", "a\ud800b", "a\\ud800b"],
  ["DEL", "a\u007fb", "a\\u007fb"],
  ["a blank that is no space", "a\u2800b", "a\\u2800b"],
  ["a selector that selects nothing", "a\ufe0fb", "a\\ufe0fb"],
])("the character %s is written out", (_what, text, shown) => {
  expect(oneLine(text)).toBe(shown);
});

test.each(["naïve café", "日本語", "🚀 done", "❤️", "a\\nb", "  indented"])(
  "the text %j is shown as it is",
  (text) => {
    expect(oneLine(text)).toBe(text);
  },
);

test("TERM-08 a line of a megabyte is cut, and the count says how much is missing", () => {
  expect(oneLine("x".repeat(1_000_000), 10)).toBe("xxxxxxxxxx … (999,990 more characters)");
  expect(printableLine("x".repeat(11), 10)).toBe("xxxxxxxxxx … (1 more character)");
});

test("cutting a text for the terminal never splits a character", () => {
  expect(oneLine("ab🚀cd", 3)).toBe("ab … (4 more characters)");
});

test("a text in lines keeps its tabs and loses its carriage returns", () => {
  expect(printableLines("if x:\r\n\tgo\r\n", { lines: 5, width: 80 })).toEqual(["if x:", "\tgo"]);
});

test("a text in lines is bounded, and says how many lines are missing", () => {
  expect(printableLines("1\n2\n3\n4", { lines: 2, width: 80 })).toEqual(["1", "2", "… 2 more lines"]);
  expect(printableLines("1\n2\n3\n", { lines: 2, width: 80 })).toEqual(["1", "2", "… 1 more line"]);
  expect(printableLines("", { lines: 2, width: 80 })).toEqual([]);
});

test("printable text never holds a character that a terminal acts upon", () => {
  const anything = fc.string({ unit: "binary", maxLength: 60 });
  fc.assert(
    fc.property(anything, (text) => {
      expect(oneLine(text)).not.toMatch(acts);
      expect(quote(text)).not.toMatch(acts);
      for (const line of printableLines(text, { lines: 3, width: 20 })) {
        expect(line.replaceAll("\t", "")).not.toMatch(acts);
      }
    }),
    { numRuns: sized({ sample: 400, campaign: 2_000 }) },
  );
});

test("quoted text can be read back, whatever it was", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      expect(JSON.parse(quote(text, 120))).toBe(text);
    }),
    { numRuns: sized({ sample: 400, campaign: 2_000 }) },
  );
});

test("a long quoted text is cut inside its quotes, and counted behind them", () => {
  expect(quote('say "hi" to all', 8)).toBe('"say \\"hi\\"" … (7 more characters)');
});

test.each([
  ["one line", "one line"],
  ["npm test: exit code 1\n1 failed\n2 failed\n", "npm test: exit code 1 … (2 more lines)"],
  ["\n  first\r\n\u001b[2J", "first … (1 more line)"],
  ["", ""],
])("the first line of %j is %j", (text, shown) => {
  expect(firstLine(text)).toBe(shown);
});

test.each([
  ["it has no ideas", "it has no ideas."],
  ["it has no ideas. ", "it has no ideas."],
  ["what now?", "what now?"],
  ['it said "stop."', 'it said "stop."'],
  ["exit code 1 … (2 more lines)", "exit code 1 … (2 more lines)."],
])("as a sentence, %j becomes %j", (text, ended) => {
  expect(sentence(text)).toBe(ended);
});
