import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeUtf8 } from "../std/utf8.ts";
import { OutputTail } from "./output-tail.ts";

test("the tail of an output is its end, in whatever pieces it came, without half a character", () => {
  const texts = fc.array(fc.string({ unit: "grapheme" }), { maxLength: 20 });
  fc.assert(
    fc.property(
      texts,
      fc.integer({ min: 4, max: 40 }),
      fc.integer({ min: 1, max: 7 }),
      (parts, max, piece) => {
        const all = encodeUtf8(parts.join(""));
        const tail = new OutputTail(max);
        for (let at = 0; at < all.length; at += piece) tail.take(all.subarray(at, at + piece));
        const text = tail.text();
        expect(parts.join("").endsWith(text)).toBe(true);
        const length = encodeUtf8(text).length;
        expect(length).toBeLessThanOrEqual(max);
        expect(length).toBeGreaterThan(Math.min(all.length, max) - 4);
      },
    ),
  );
});

test("bytes of an output that are no text are shown as such, and do not empty the tail", () => {
  const tail = new OutputTail(8);
  tail.take(new Uint8Array(20).fill(0x80));
  expect(tail.text()).toBe("\ufffd".repeat(8));
});
