import { expect, test } from "vitest";
import { markdownLine } from "./markdown-line.ts";

test("text put on a Markdown line makes no new line, link, code or markup, even with backslashes", () => {
  expect(markdownLine("a\n# b")).toBe("a\\\\n# b");
  expect(markdownLine("![p](http://x) `c` <b>")).toBe("!\\[p\\](http://x) \\`c\\` \\<b>");
  // An existing backslash would undo ours: \\< is a backslash and a live tag.
  expect(markdownLine("\\<script>")).toBe("\\\\\\<script>");
});

test("text put on a Markdown line is cut at its limit, and the rest is counted", () => {
  expect(markdownLine("x".repeat(600))).toBe(`${"x".repeat(500)} … (100 more characters)`);
});
