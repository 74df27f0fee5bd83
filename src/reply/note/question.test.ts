import { expect, test } from "vitest";
import { questionIn } from "./question.ts";

test.each([
  ["words alone", "Which database?", { text: "Which database?", options: [] }],
  [
    "all fields",
    "Question: Which database?\nOptions:\n- Postgres\n- SQLite\nContext: the plan names both",
    { text: "Which database?", options: ["Postgres", "SQLite"], why: "the plan names both" },
  ],
  [
    "fields in bold, over several lines",
    "**Question:** Which\ndatabase?\n**Why:**\nBoth\nare named.\n\n**Options:** Postgres | SQLite",
    { text: "Which\ndatabase?", options: ["Postgres", "SQLite"], why: "Both\nare named." },
  ],
  [
    "a list below the words",
    "Which one?\n\n1. Postgres\n2) SQLite\n",
    { text: "Which one?", options: ["Postgres", "SQLite"] },
  ],
  [
    "a list that is all there is",
    "- Which one?\n- the first?",
    { text: "- Which one?", options: ["the first?"] },
  ],
  ["a context alone", "Context: both are named", { text: "both are named", options: [] }],
  ["a colon in a sentence", "I ask: why: this?", { text: "I ask: why: this?", options: [] }],
])("%s", (_, words, expected) => {
  expect(questionIn(words)).toEqual(expected);
});

test.each(["", "  \n ", "Question:\nOptions:\n- a"])("the text %j has no question", (words) => {
  expect(questionIn(words)).toBeUndefined();
});

test("a question is bounded in every part", () => {
  const long = "x".repeat(3_000);
  const asked = questionIn(`${long}${long}\nOptions:\n${`- ${long}\n`.repeat(2)}`);
  expect(asked?.text).toHaveLength(4_000);
  expect(asked?.options[0]).toHaveLength(500);
  expect(questionIn(`a\n${"- b\n".repeat(100)}`)?.options).toHaveLength(20);
});
