import fc from "fast-check";
import { expect, test } from "vitest";
import { concatBytes } from "../../std/bytes.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { LineSplitter } from "./line-splitter.ts";

test("output is split into the same lines wherever its bytes are cut", () => {
  const parts = fc.array(
    fc.oneof(fc.string(), fc.constantFrom("\n", "\r\n", "\r", "ä", "🚣", "  ", "\ufeff")),
  );
  fc.assert(
    fc.property(parts, fc.array(fc.nat(50)), (texts, cuts) => {
      const bytes = encodeUtf8(texts.join(""));
      expect(linesOf(cutUp(bytes, cuts))).toEqual(linesOf([bytes]));
    }),
  );
});

test("output lines end at line feed and carriage return, and blank ones are left out", () => {
  const text = encodeUtf8("one\r\n\r\n \t\ntwo 10%\rtwo 20%\n\nthree");
  expect(linesOf([text])).toEqual(["one", "two 10%", "two 20%", "three"]);
});

test("unusual Unicode line separators do not end an output line, since an event may hold them", () => {
  const event = JSON.stringify({ text: "one\u2028two\u2029three\u0085four\u000bfive" });
  expect(linesOf([encodeUtf8(`${event}\n`)])).toEqual([event]);
});

test("only the beginning of an endless output line is kept", () => {
  const wave = encodeUtf8("x".repeat(1_000_000));
  const lines = linesOf([wave, wave, encodeUtf8("\nnext")]);
  expect(lines.map(({ length }) => length)).toEqual([2_000, 4]);
});

test("bytes of output that are not UTF-8 are shown as such, and later lines are not lost", () => {
  const bytes = concatBytes([new Uint8Array([0xff, 0xc3]), encodeUtf8("\nfine\n"), new Uint8Array([0xe4])]);
  expect(linesOf([bytes])).toEqual(["\ufffd\ufffd", "fine", "\ufffd"]);
});

function linesOf(parts: readonly Uint8Array[]): string[] {
  const splitter = new LineSplitter();
  const lines: string[] = [];
  for (const part of parts) splitter.push(part, (line) => lines.push(line));
  splitter.end((line) => lines.push(line));
  return lines;
}

function cutUp(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const cut of cuts) {
    parts.push(bytes.subarray(from, from + cut));
    from += cut;
  }
  return [...parts, bytes.subarray(from)];
}
