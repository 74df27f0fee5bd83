import fc from "fast-check";
import { expect, test } from "vitest";
import { applySplices } from "../../plan/edit/splice.ts";
import { Pieces } from "./pieces.ts";

test("several edits combine into splices of the original text", () => {
  const pieces = new Pieces("one two three");
  pieces.splice({ start: 4, end: 7, text: "2" });
  pieces.splice({ start: 0, end: 0, text: "zero " });
  pieces.splice({ start: 9, end: 10, text: "" });
  expect(pieces.text).toBe("zero one  three");
  expect(pieces.splices()).toEqual([
    { start: 0, end: 0, text: "zero " },
    { start: 4, end: 7, text: "" },
  ]);
  expect([...pieces.text].map((_, at) => (pieces.isOriginal(at) ? "o" : "+")).join("")).toBe(
    "+++++oooooooooo",
  );
});

test("the combined splices give the same text as the edits, and untouched characters stay outside of them", () => {
  const edit = fc.record({ at: fc.nat(30), length: fc.nat(6), text: fc.string({ maxLength: 4 }) });
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), fc.array(edit, { maxLength: 8 }), (original, edits) => {
      const pieces = new Pieces(original);
      let naive: { character: string; from?: number }[] = [...original.split("")].map((character, from) => ({
        character,
        from,
      }));
      for (const { at, length, text } of edits) {
        const start = Math.min(at, naive.length);
        const end = Math.min(start + length, naive.length);
        pieces.splice({ start, end, text });
        naive = [
          ...naive.slice(0, start),
          ...text.split("").map((character) => ({ character })),
          ...naive.slice(end),
        ];
      }
      expect(pieces.text).toBe(naive.map(({ character }) => character).join(""));
      const splices = pieces.splices();
      expect(applySplices(original, splices)).toBe(pieces.text);
      const kept = new Set(naive.map(({ from }) => from));
      for (const { start, end } of splices) {
        for (let at = start; at < end; at += 1) expect(kept.has(at)).toBe(false);
      }
    }),
  );
});
