import { expect, test } from "vitest";
import type { Note } from "../note/note.ts";
import { boundProblems, noteMax, noteWarnings } from "./bounds.ts";

const none = { notes: [], outputs: [], delegations: [] };
const note: Note = { description: "an assumption", status: "open" };
const delegation = { agent: "db", requestType: "advice", request: "how?" };

test("an ordinary reply is within all limits", () => {
  const outputs = ["schema.md", "Überblick 2.md", "_a-b"].map((name) => ({ name, content: "x" }));
  expect(boundProblems({ notes: [note], outputs, delegations: [delegation] })).toEqual([]);
  expect(noteWarnings([note])).toEqual([]);
});

test.each(
  [
    ["", ".", "..", ".hidden", "../a.md", "a/b.md", "a\\b.md", "a\u0000b", "a\u202eb", " a", "x".repeat(101)],
  ].flat(),
)("an output cannot be called %j", (name) => {
  expect(boundProblems({ ...none, outputs: [{ name, content: "" }] })).toMatchObject([
    { code: "OUTPUT_NAME", field: "outputs[0].name" },
  ]);
});

test("two outputs cannot have one name", () => {
  const outputs = [
    { name: "a.md", content: "" },
    { name: "A.md", content: "" },
  ];
  expect(boundProblems({ ...none, outputs })).toMatchObject([
    { code: "OUTPUT_NAME", field: "outputs[1].name" },
  ]);
});

test.each([
  ["notes", { notes: Array(101).fill(note) }, "LIMIT_NOTE"],
  ["delegations", { delegations: Array(101).fill(delegation) }, "LIMIT_DELEGATION"],
  ["notes[0].description", { notes: [{ ...note, description: "x".repeat(100_001) }] }, "LIMIT_NOTE"],
  ["notes[0].context", { notes: [{ ...note, context: "x".repeat(100_001) }] }, "LIMIT_NOTE"],
  ["delegations[0].agent", { delegations: [{ ...delegation, agent: "x".repeat(101) }] }, "LIMIT_DELEGATION"],
  ["outputs[0].content", { outputs: [{ name: "a", content: "x".repeat(4_000_001) }] }, "LIMIT_OUTPUT"],
  [
    "delegations[0].request",
    { delegations: [{ ...delegation, request: "x".repeat(100_001) }] },
    "LIMIT_DELEGATION",
  ],
])("in a reply, %s has a limit", (field, part, code) => {
  expect(boundProblems({ ...none, ...part })).toMatchObject([{ code, field }]);
});

test("XAGT-07 a note with hidden text is warned of", () => {
  expect(noteWarnings([note, { ...note, description: "ok\u{e0069}\u{e0067}" }])).toMatchObject([
    { code: "CONTENT_INVISIBLE", field: "notes[1].description" },
  ]);
});

test("XAGT-09 a note that is too long to be shown whole is warned about", () => {
  expect(noteWarnings([{ ...note, description: "x".repeat(noteMax + 1) }])).toMatchObject([
    { code: "LIMIT_NOTE", field: "notes[0].description" },
  ]);
});
