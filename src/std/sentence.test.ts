import { expect, test } from "vitest";
import { sentence } from "./printable.ts";

test.each([
  ["it has no ideas", "it has no ideas."],
  ["it has no ideas. ", "it has no ideas."],
  ["what now?", "what now?"],
  ['it said "stop."', 'it said "stop."'],
  ["exit code 1 … (2 more lines)", "exit code 1 … (2 more lines)."],
])("%j ends as %j", (text, ended) => {
  expect(sentence(text)).toBe(ended);
});
