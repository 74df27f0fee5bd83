import { expect, test } from "vitest";
import type { Change, Sha256 } from "../../change/change.ts";
import type { TreePath } from "../../change/path.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { noPaint } from "./paint.ts";
import {
  type TreeDifference,
  treeDifferenceDocument,
  treeDifferenceStat,
  treeDifferenceText,
} from "./tree-difference.ts";

type Side = string | { readonly text: string; readonly mode: number } | undefined;

/** Each file with its text before and after. */
function difference(
  files: Readonly<Record<string, readonly [before: Side, after: Side]>>,
  links: TreeDifference["links"] = [],
): TreeDifference {
  const contents = new Map<string, Uint8Array>();
  const image = (side: Side) => {
    if (side === undefined) return undefined;
    const { text, mode } = typeof side === "string" ? { text: side, mode: 0o644 } : side;
    const bytes = encodeUtf8(text);
    contents.set(text, bytes);
    return { sha256: text as Sha256, size: bytes.length, mode };
  };
  const changes = Object.entries(files).map(([path, [before, after]]): Change => {
    const [pre, post] = [image(before), image(after)];
    return { path: path as TreePath, ...(pre && { pre }), ...(post && { post }) };
  });
  return { changes, links, bytes: (hash) => contents.get(hash) ?? new Uint8Array() };
}

const some = difference(
  {
    "added.txt": [undefined, "a\nb\n"],
    "changed.txt": ["one\ntwo\n", "one\nthree\n"],
    "deleted.txt": ["x\n", undefined],
    "picture.png": ["\0old", "\0newer"],
    "run.sh": [
      { text: "#!\n", mode: 0o644 },
      { text: "#!\n", mode: 0o755 },
    ],
  },
  [{ path: "here", target: "there" }, { path: "gone" }],
);

test("the summary of a tree's changes has a line for each file, with its counts, and the sum", () => {
  expect(treeDifferenceStat(some, noPaint).split("\n")).toEqual([
    "+ added.txt    +2 −0",
    "~ changed.txt  +1 −1",
    "- deleted.txt  +0 −1",
    "~ picture.png  binary: 4 B → 6 B",
    "~ run.sh       +0 −0",
    "  link here → there",
    "  link gone: removed",
    "7 files, +3 −2",
    "",
  ]);
});

test("a tree's changes are shown as a diff of each file; binary files, modes and links in words", () => {
  const text = treeDifferenceText(some, noPaint);
  expect(text).toContain("--- a/changed.txt\n+++ b/changed.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n");
  expect(text).toContain("\n~ picture.png  binary: 4 B → 6 B\n");
  expect(text).toContain("\nmode of run.sh: 644 → 755\n");
  expect(text).not.toContain("--- a/run.sh");
  expect(text).toMatch(/\nlink here → there\n\nlink gone: removed\n$/);
});

test("beyond ten thousand lines the changed files of a tree are counted, not shown", () => {
  const long = "x\n".repeat(3000);
  const files = Object.fromEntries(
    Array.from({ length: 13 }, (_, at) => [`f${at}`, [undefined, `${at}\n${long}`] as const]),
  );
  const text = treeDifferenceText(difference(files), noPaint);
  expect(text.split("\n").length).toBeLessThan(10_200);
  expect(text).toMatch(/… \d+ more files?\n$/);
});

test("a tree's changes as JSON name every file, with the diff on demand", () => {
  const [added] = treeDifferenceDocument(some, { diff: true }).files;
  expect(added).toEqual({
    path: "added.txt",
    status: "added",
    added: 2,
    removed: 0,
    mode: null,
    diff: ["--- /dev/null", "+++ b/added.txt", "@@ -0,0 +1,2 @@", "+a", "+b"],
  });
  const { files, links } = treeDifferenceDocument(some, { diff: false });
  expect(files.find(({ path }) => path === "run.sh")).toMatchObject({ mode: "755", added: 0 });
  expect(files.find(({ path }) => path === "picture.png")).toMatchObject({ added: null, removed: null });
  expect(files.some((file) => "diff" in file)).toBe(false);
  expect(links).toEqual([
    { path: "here", target: "there" },
    { path: "gone", target: null },
  ]);
});
