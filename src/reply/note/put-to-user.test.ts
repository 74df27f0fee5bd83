import { expect, test } from "vitest";
import { toNotes } from "./note.ts";
import { putToUser, type UserQuestion } from "./put-to-user.ts";

const assumed = { description: "emails are compared without regard to case", status: "open" };
const delegation = { agent: "db-expert", requestType: "advice", request: "which index?" };

function settledBy({ keys }: UserQuestion): (key: string) => boolean {
  return (key) => keys.includes(key);
}

test("a note put to the user shows all its fields", () => {
  const [note] = toNotes([
    {
      ...assumed,
      context: "the login page",
      category: "requirements",
      status: "escalated",
      escalation_reason: "the specification is silent",
    },
  ]);
  const { text, options } = putToUser({ notes: note ? [note] : [] }) ?? { text: "", options: [] };
  expect(text.split("\n")).toEqual([
    "It escalates a note: emails are compared without regard to case",
    "Context: the login page",
    "Category: requirements",
    "Why you are asked: the specification is silent",
    "What should apply? Your answer is given to it and settles the note.",
  ]);
  expect(options).toEqual([]);
});

test.each(["open", "escalated", undefined, "who knows"])(
  "a note whose status is %s is put to the user",
  (status) => {
    expect(putToUser({ notes: toNotes([{ ...assumed, status }]) })?.text).toContain(assumed.description);
  },
);

test("a resolved note, or no note, puts nothing to the user", () => {
  expect(putToUser({ notes: toNotes([{ ...assumed, status: "resolved" }]) })).toBeUndefined();
  expect(putToUser({ notes: [] })).toBeUndefined();
});

test("a delegation put to the user names the agent and what it would be asked", () => {
  expect(putToUser({ notes: [], delegations: [delegation] })?.text).toContain(
    "db-expert (advice): which index?",
  );
  const line = "db-expert (advice): which index?";
  expect(putToUser({ notes: [], delegationRequest: line })?.text).toContain(line);
});

test("a note that is a question is put as exactly that question, with its options", () => {
  const notes = toNotes([
    { description: "Question: tabs or spaces?\nOptions: tabs | spaces", status: "open" },
  ]);
  expect(putToUser({ notes })).toMatchObject({ text: "tabs or spaces?", options: ["tabs", "spaces"] });
});

test("other open points are shown below a question of the same reply", () => {
  const notes = toNotes([assumed, { description: "tabs or spaces?", context: "src/a.ts" }]);
  const { text } = putToUser({ notes, delegations: [delegation], status: "TASK INCOMPLETE: no disk" }) ?? {};
  expect(text?.split("\n")).toEqual([
    "tabs or spaces?",
    "Context: src/a.ts",
    `It leaves a note open: ${assumed.description}`,
    "It would ask db-expert (advice): which index?",
    "It also says: TASK INCOMPLETE: no disk",
  ]);
});

test("an answer settles exactly the notes that were put; any other is put again", () => {
  const left = { notes: toNotes([assumed]), delegations: [delegation], rollback: "the table is lost" };
  const put = putToUser(left);
  if (!put) throw new Error("nothing was put");
  expect(put.text).toContain("It leaves 3 things to you:");
  expect(putToUser(left, settledBy(put))).toBeUndefined();
  const reworded = { ...left, notes: toNotes([{ ...assumed, description: "passwords have 8 characters" }]) };
  expect(putToUser(reworded, settledBy(put))?.text).toContain("passwords have 8 characters");
  const spaced = toNotes([{ description: `  ${assumed.description.toUpperCase()} ` }]);
  expect(putToUser({ notes: spaced }, settledBy(put))).toBeUndefined();
});

test("a question from a note is not asked again when the note is settled; a question of its own always is", () => {
  const notes = toNotes([{ description: "tabs or spaces?" }]);
  const left = { question: { text: "tabs or spaces?", options: [] }, notes };
  const put = putToUser(left);
  if (!put) throw new Error("nothing was put");
  expect(put.text).toBe("tabs or spaces?");
  expect(putToUser(left, settledBy(put))).toBeUndefined();
  const own = { ...left, question: { text: "which database?", options: [] } };
  expect(putToUser(own, settledBy(put))?.text).toBe("which database?");
});

test("an agent's words cannot act on a terminal, or look like lines of ours", () => {
  const notes = toNotes([{ description: "x\u001b[2J\nWhat holds?\u202e", context: "a\nb" }]);
  const { text = "" } = putToUser({ notes }) ?? {};
  expect(text).not.toMatch(/[\u001b\u202e]/);
  expect(text.split("\n")).toHaveLength(3);
});
