import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import { applyPatch } from "./patch.ts";

const file = "one\ntwo\nthree\nfour\nfive\nsix\n";

const applied: readonly (readonly [what: string, text: string, patch: string, expected: string])[] = [
  [
    "with headers",
    file,
    "--- a/f.ts\n+++ b/f.ts\n@@ -2,3 +2,3 @@ fn()\n two\n-three\n+3\n four\n",
    file.replace("three", "3"),
  ],
  ["without headers", file, "@@ -3 +3 @@\n-three\n+3\n", file.replace("three", "3")],
  ["with wrong counts", file, "@@ -3,9 +3,1 @@\n-three\n+3\n+3½\n", file.replace("three", "3\n3½")],
  ["with a wrong line", file, "@@ -90,1 +90,1 @@\n-three\n+3\n", file.replace("three", "3")],
  [
    "without line numbers",
    file,
    "@@\n-three\n+3\n@@ ... @@\n-five\n+5\n",
    file.replace("three", "3").replace("five", "5"),
  ],
  [
    "as git writes it",
    file,
    "diff --git a/f.ts b/f.ts\nindex 12..34 100644\n--- a/f.ts\n+++ b/f.ts\n@@ -1 +1 @@\n-one\n+1\n",
    file.replace("one", "1"),
  ],
  [
    "as a mail with a signature",
    file,
    "Subject: x\n---\n f.ts | 2 +-\n\n--- a/f.ts\n+++ b/f.ts\n@@ -1 +1 @@\n-one\n+1\n-- \n2.39.5\n",
    file.replace("one", "1"),
  ],
  [
    "with shared context",
    file,
    "@@ -1,2 +1,2 @@\n-one\n+1\n two\n@@ -2,2 +2,2 @@\n two\n-three\n+3\n",
    "1\ntwo\n3\nfour\nfive\nsix\n",
  ],
  [
    "with hunks out of order",
    file,
    "@@ -6 +6 @@\n-six\n+6\n@@ -1 +1 @@\n-one\n+1\n",
    file.replace("one", "1").replace("six", "6"),
  ],
  ["at the stated line of several", "a\nx\na\nx\n", "@@ -3,1 +3,1 @@\n-a\n+b\n", "a\nx\nb\nx\n"],
  ["with a context line that lost its space", "a\n\nb\n", "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", "a\n\nc\n"],
  ["with empty lines after it", "a\n", "@@ -1 +1 @@\n-a\n+b\n\n\n", "b\n"],
  [
    "removing a line that looks like a header",
    "-- x\ny\n",
    "@@ -1,2 +1,2 @@\n--- x\n+++ x\n y\n",
    "++ x\ny\n",
  ],
  ["adding to an empty file", "", "@@ -0,0 +1,2 @@\n+a\n+b\n", "a\nb\n"],
  ["inserting by its stated line alone", "a\nb\n", "@@ -1,0 +2,1 @@\n+x\n", "a\nx\nb\n"],
  ["removing all", "a\nb\n", "@@ -1,2 +0,0 @@\n-a\n-b\n", ""],
  ["adding a last line end", "a\nb", "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n"],
  ["removing the last line end", "a\nb\n", "@@ -2 +2 @@\n-b\n+b\n\\ No newline at end of file\n", "a\nb"],
  ["keeping a missing last line end", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n", "a\nc"],
  ["adding after a missing last line end", "a\nb", "@@ -2,1 +2,2 @@\n b\n+c\n", "a\nb\nc"],
  [
    "LF against a file with CRLF",
    "a\r\nb\r\nc",
    "@@ -1,3 +1,4 @@\n a\n-b\n+B\n+B2\n c\n",
    "a\r\nB\r\nB2\r\nc",
  ],
  ["CR shown, taken literally", "a\r\nb\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\n", "a\r\nB\n"],
  ["CRLF throughout against a file with LF", "a\nb\n", "@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+B\r\n", "a\nB\n"],
  [
    "CRLF throughout against a file with CRLF",
    "a\r\nb\r\n",
    "@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+B\r\n",
    "a\r\nB\r\n",
  ],
];

test.each(applied)("a patch applies %s", (_, text, patch, expected) => {
  const result = applyPatch(encodeUtf8(text), patch, "src/f.ts");
  if ("problem" in result) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  expect(decodeUtf8(result.bytes)).toBe(expected);
});

const refused: readonly (readonly [what: string, text: string, patch: string, code: string, says: string])[] =
  [
    ["lines that are not there", file, "@@ -3 +3 @@\n-thirty\n+3\n", "OPS_PATCH_NOT_FOUND", "hunk 1"],
    [
      "whitespace that differs",
      "\tone\n",
      "@@ -1 +1 @@\n-  one\n+1\n",
      "OPS_PATCH_NOT_FOUND",
      "whitespace differs",
    ],
    [
      "several places",
      "a\nx\na\nx\n",
      "@@ -2 +2 @@\n-a\n+b\n",
      "OPS_PATCH_AMBIGUOUS",
      "lines 1, 3, but not at line 2",
    ],
    ["nothing to hold on to", file, "@@\n+x\n", "OPS_PATCH_AMBIGUOUS", "no unchanged line"],
    ["an insertion beyond the end", "a\n", "@@ -7,0 +8 @@\n+x\n", "OPS_PATCH_AMBIGUOUS", "no unchanged line"],
    ["no hunk", file, "-one\n+1\n", "OPS_PATCH_SYNTAX", "no hunk"],
    [
      "a hunk without header",
      file,
      "--- a/f.ts\n+++ b/f.ts\n-one\n+1\n@@ -2 +2 @@\n-two\n+2\n",
      "OPS_PATCH_SYNTAX",
      "line 3",
    ],
    ["another file", file, "--- a/g.ts\n+++ b/g.ts\n@@ -1 +1 @@\n-one\n+1\n", "OPS_PATCH_SYNTAX", "g.ts"],
    [
      "a second file",
      file,
      "--- a/f.ts\n+++ b/f.ts\n@@ -1 +1 @@\n-one\n+1\n--- a/g.ts\n+++ b/g.ts\n@@ -1 +1 @@\n-x\n+y\n",
      "OPS_PATCH_SYNTAX",
      "g.ts",
    ],
    [
      "a rename",
      file,
      "diff --git a/f.ts b/g.ts\nrename from f.ts\nrename to g.ts\n",
      "OPS_PATCH_SYNTAX",
      "rename from",
    ],
    [
      "another patch language",
      file,
      "*** Begin Patch\n*** Update File: f.ts\n@@\n-one\n+1\n*** End Patch",
      "OPS_PATCH_SYNTAX",
      "Begin Patch",
    ],
    ["a line without prefix", file, "@@ -1,2 +1,2 @@\n-one\n+1\ntwo\n", "OPS_PATCH_SYNTAX", "line 4"],
    [
      "a hunk that changes nothing",
      file,
      "@@ -1,2 +1,2 @@\n one\n two\n",
      "OPS_PATCH_SYNTAX",
      "adds and removes nothing",
    ],
    [
      "one line changed twice",
      file,
      "@@ -1 +1 @@\n-one\n+1\n@@ -1 +1 @@\n-one\n+I\n",
      "OPS_PATCH_SYNTAX",
      "two hunks change line 1",
    ],
    [
      "lines after the end",
      "a",
      "@@ -1 +1,2 @@\n a\n\\ No newline at end of file\n+b\n",
      "OPS_PATCH_SYNTAX",
      "no line end",
    ],
  ];

test.each(refused)("a patch is refused for %s", (_, text, patch, code, says) => {
  const result = applyPatch(encodeUtf8(text), patch, "src/f.ts");
  const problem: Partial<Problem> = "problem" in result ? result.problem : {};
  expect(problem).toMatchObject({ code, field: "patch" });
  expect(problem.message).toContain(says);
  expect(`${problem.message}${problem.hint}`).not.toMatch(/\p{Cc}/u);
});

test("bytes that are not UTF-8 survive a patch beside them", () => {
  const bytes = Uint8Array.from([0xff, 0xfe, 0x0a, 0x61, 0x0a, 0xc3, 0x0a]);
  const result = applyPatch(bytes, "@@ -2 +2 @@\n-a\n+é\n");
  expect("bytes" in result && [...result.bytes]).toEqual([0xff, 0xfe, 0x0a, 0xc3, 0xa9, 0x0a, 0xc3, 0x0a]);
});

const line = fc.constantFrom(
  "a",
  "b",
  "c",
  "",
  "-- x",
  "++ y",
  "@@ z",
  "\\ n",
  "é",
  " ",
  "\ufeff",
  "diff --git",
);
const lineEnd = fc.constantFrom("\n", "\n", "\n", "\r\n", "");
const text = fc
  .array(
    fc.tuple(line, lineEnd).map(([body, end]) => body + end),
    { maxLength: 14 },
  )
  .map((lines) => lines.join(""));

test("applying the diff of two texts turns the one into the other exactly", () => {
  const property = fc.property(text, text, fc.integer({ min: 1, max: 4 }), (one, other, context) => {
    if (one === other) return;
    const patch = createTwoFilesPatch("f.ts", "f.ts", one, other, undefined, undefined, { context });
    const result = applyPatch(encodeUtf8(one), patch, "src/f.ts");
    if ("problem" in result) throw new Error(`${result.problem.message}\n${patch}`);
    expect(decodeUtf8(result.bytes)).toBe(other);
  });
  fc.assert(property, { numRuns: 3000 });
});

test("a hunk that fits almost everywhere is placed in linear time", () => {
  const lines = "a\n".repeat(300_000);
  const patch = `@@ -1 +1 @@\n${" a\n".repeat(100_000)}-b\n+c\n`;
  expect(applyPatch(encodeUtf8(lines), patch)).toMatchObject({ problem: { code: "OPS_PATCH_NOT_FOUND" } });
});
