import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Splice } from "../plan/splice.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import type { DocumentPath } from "./address.ts";
import { Document } from "./document.ts";

const path = "/a.md" as DocumentPath;

/** Halves of a character among them, which two splices may bring together. */
const text = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc
    .array(fc.constantFrom("a", "é", "日", "\ud83d", "\ude00", "\n"), { maxLength: 6 })
    .map((all) => all.join("")),
);

test("the bytes of an edited document are those of its text, whatever was edited", () => {
  const edits = fc.array(fc.record({ gap: fc.nat(5), cut: fc.nat(3), text }), { maxLength: 4 });
  fc.assert(
    fc.property(text, fc.boolean(), edits, (begin, isPlain, wished) => {
      const before = Document.of(path, isPlain ? "plain text of an old document" : begin);
      expect(before.bytes).toEqual(encodeUtf8(before.text));
      const after = before.spliced(splicesIn(before.text, wished));
      expect(Buffer.compare(after.bytes, encodeUtf8(after.text))).toBe(0);
      const again = after.spliced([{ start: 0, end: 0, text: "x" }]);
      expect(Buffer.compare(again.bytes, encodeUtf8(again.text))).toBe(0);
    }),
  );
});

test("two halves of a character that meet are one in the bytes too", () => {
  const before = Document.of(path, "plain");
  expect(before.bytes).toHaveLength(5);
  const { bytes, text } = before.spliced([
    { start: 1, end: 2, text: "\ud83d" },
    { start: 2, end: 3, text: "\ude00" },
  ]);
  expect(Buffer.compare(bytes, encodeUtf8(text))).toBe(0);
});

function splicesIn(of: string, wished: readonly { gap: number; cut: number; text: string }[]): Splice[] {
  let at = 0;
  return wished.map(({ gap, cut, text: put }) => {
    const start = Math.min(of.length, at + gap);
    at = Math.min(of.length, start + cut);
    return { start, end: at, text: put };
  });
}

test("who decides on splices and who carries them out have one and the same document", () => {
  const document = Document.of(path, "# A\n\n## Tasks\n\n### One\n");
  const splices = [{ start: 0, end: 0, text: "x" }];
  expect(document.spliced(splices)).toBe(document.spliced(splices));
  expect(document.spliced([...splices])).not.toBe(document.spliced(splices));
});

test("a list whose tasks were edited one by one keeps its text once, not once for each of them", () => {
  const block = (n: number) =>
    `### Task ${n}\n\n- Status: pending\n\n${"Some words about it. ".repeat(500)}\n\n`;
  let document = Document.of(path, `## Tasks\n\n${Array.from({ length: 100 }, (_, n) => block(n)).join("")}`);
  const edit = (slug: string) => {
    const value = document.tasks.find(slug)?.fields[0]?.value;
    if (!value) throw new Error(`${slug} has a status`);
    document = document.spliced([{ ...value, text: "blocked" }]);
    expect(document.tasks.find(slug)?.status).toBe("blocked");
  };
  edit("task-0");
  const before = usedMegabytes();
  for (let n = 1; n < 100; n += 1) edit(`task-${n}`);
  // The text is one megabyte.
  expect(usedMegabytes() - before).toBeLessThan(20);
});

function usedMegabytes(): number {
  setFlagsFromString("--expose_gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed / 1e6;
}
