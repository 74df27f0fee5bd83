import { expect, test } from "vitest";
import { shellWord } from "./shell-word.ts";

test.each([
  ["src/a-b.ts", "src/a-b.ts"],
  ["Übersicht für alle.md", "'Übersicht für alle.md'"],
  ["it's; rm -rf *", "'it'\\''s; rm -rf *'"],
  ["", "''"],
])("a shell reads %j as one word when it is written %s", (word, written) => {
  expect(shellWord(word)).toBe(written);
});
