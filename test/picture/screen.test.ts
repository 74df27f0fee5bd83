import { expect, test } from "vitest";
import { Screen } from "./screen.ts";

const size = { columns: 10, rows: 4 };

function shown(...texts: readonly string[]): string {
  const screen = new Screen(size);
  for (const text of texts) screen.write(text);
  return screen.text();
}

test.for([
  ["lines stand below each other", "a\r\nb", "a\nb"],
  ["a line feed alone keeps the column", "ab\nc", "ab\n  c"],
  ["a carriage return writes over", "abc\rx", "xbc"],
  ["a long line goes on below", "abcdefghijkl", "abcdefghij\nkl"],
  ["a line that just fits does not", "abcdefghij\r\nk", "abcdefghij\nk"],
  ["what does not fit scrolls away", "1\r\n2\r\n3\r\n4\r\n5", "2\n3\n4\n5"],
  ["up and over", "one\r\ntwo\r\n\u001b[2A\rx\u001b[K", "x\ntwo\n"],
  ["erase below", "one\r\ntwo\r\nthree\u001b[1A\r\u001b[J!", "one\n!"],
  ["up stops at the top", "one\u001b[9A\rx", "xne"],
  ["hiding the cursor shows nothing", "\u001b[?25la\u001b[?25h", "a"],
] as const)("on the drawn screen: %s", ([, text, expected]) => {
  expect(shown(text)).toBe(expected);
  expect(shown(...text), "cut anywhere, it is the same").toBe(expected);
});

test("the drawn screen keeps colours, bold and dim with each character", () => {
  const screen = new Screen(size);
  screen.write("\u001b[32m\u001b[1mg\u001b[22mG\u001b[39mp\u001b[2md\u001b[0mp\u001b[91mr");
  expect(screen.rows()[0]?.map(({ style }) => style)).toEqual([
    { colour: 2, isBold: true },
    { colour: 2 },
    {},
    { isDim: true },
    {},
    { colour: 1 },
  ]);
});

test.for(["\u001b]0;title\u0007", "\u001b[5;5H", "\u001b[38;5;1m", "\u0007", "\u001b[2J"])(
  "the drawn screen refuses a sequence that it does not know: %j",
  (text) => {
    expect(() => shown(text)).toThrow("a terminal is sent");
  },
);
