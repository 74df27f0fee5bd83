import { expect, test } from "vitest";
import { encodeUtf8 } from "../../std/utf8.ts";
import { differenceLines, lineCounts } from "./difference.ts";

const bytes = (text: string) => encodeUtf8(text);

test("an edit shows as a unified diff with three lines around it", () => {
  const before = bytes("1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  const after = bytes("1\n2\n3\n4\nfive\n6\n7\n8\n9\n");
  expect(differenceLines({ path: "a.txt", before, after }, 100)).toEqual([
    "--- a/a.txt",
    "+++ b/a.txt",
    "@@ -2,7 +2,7 @@",
    " 2",
    " 3",
    " 4",
    "-5",
    "+five",
    " 6",
    " 7",
    " 8",
  ]);
});

test("a new file and a removed one are compared with nothing", () => {
  expect(differenceLines({ path: "a", after: bytes("x\n") }, 9).slice(0, 2)).toEqual([
    "--- /dev/null",
    "+++ b/a",
  ]);
  expect(differenceLines({ path: "a", before: bytes("x") }, 9)).toEqual([
    "--- a/a",
    "+++ /dev/null",
    "@@ -1,1 +0,0 @@",
    "-x",
    "\\ No newline at end of file",
  ]);
});

test("nothing in a file can act upon the terminal that shows its diff", () => {
  const shown = differenceLines({ path: "a", after: bytes("\u001b[2Jx\u202ey\n") }, 9);
  expect(shown.at(-1)).toBe("+\\u001b[2Jx\\u202ey");
});

test("a change of line ends is visible in a diff", () => {
  const shown = differenceLines({ path: "a", before: bytes("x\r\n"), after: bytes("x\n") }, 9);
  expect(shown.slice(3)).toEqual(["-x\\r", "+x"]);
});

test("a long diff is cut and counted", () => {
  const shown = differenceLines({ path: "a", after: bytes("x\n".repeat(50)) }, 10);
  expect(shown).toHaveLength(2 + 10 + 1);
  expect(shown.at(-1)).toBe("… 41 more lines");
});

test("files too large or too different are not compared, and the diff says so", () => {
  const large = bytes("x\n".repeat(2_000_000));
  expect(differenceLines({ path: "a", before: large, after: bytes("y") }, 9).at(-1)).toMatch(
    /too large.*4 MB → 1 B/,
  );
  const numbers = (start: number) =>
    bytes(Array.from({ length: 9000 }, (_, at) => `${start + at}\n`).join(""));
  expect(lineCounts({ before: numbers(0), after: numbers(50_000) })).toBeUndefined();
});

test.each([
  [undefined, "1\n2", { added: 2, removed: 0 }],
  ["1\n2\n", undefined, { added: 0, removed: 2 }],
  ["1\n2\n", "1\n2\n", { added: 0, removed: 0 }],
  ["1\n2\n3\n", "1\nb\n3\n4\n", { added: 2, removed: 1 }],
  [undefined, "", { added: 0, removed: 0 }],
])("the diff from %j to %j counts %j", (before, after, counts) => {
  expect(
    lineCounts({
      before: before === undefined ? undefined : bytes(before),
      after: after === undefined ? undefined : bytes(after),
    }),
  ).toEqual(counts);
});
