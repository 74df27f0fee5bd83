import { expect, test } from "vitest";
import { markdownLine } from "./markdown-line.ts";

test("no words of others make a line, a link, code or markup, with backslashes of their own neither", () => {
  expect(markdownLine("a\n# b")).toBe("a\\\\n# b");
  expect(markdownLine("![p](http://x) `c` <b>")).toBe("!\\[p\\](http://x) \\`c\\` \\<b>");
  // An existing backslash would undo ours: \\< is a backslash and a live tag.
  expect(markdownLine("\\<script>")).toBe("\\\\\\<script>");
});

test("what is too long is cut and counted", () => {
  expect(markdownLine("x".repeat(600))).toBe(`${"x".repeat(500)} … (100 more characters)`);
});
