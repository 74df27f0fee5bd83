import { expect, test } from "vitest";
import { parseSignalLine, signalNames, writtenSignal } from "./signal.ts";

test.each([
  ["READY FOR AUDIT: users", ["users"], ""],
  ["AUDIT PASSED - users", ["users"], ""],
  ["AUDIT FAILED — users", ["users"], ""],
  ["READY FOR AUDIT: #users", ["users"], ""],
  ["READY FOR AUDIT: `users`.", ["users"], ""],
  ["READY FOR AUDIT", [], ""],
  ["READY FOR AUDIT:", [], ""],
  ["TASK INCOMPLETE: users - the tests cannot run", ["users"], "the tests cannot run"],
  ["HEALTH AUDIT: UNHEALTHY, 3 tests fail", ["UNHEALTHY"], "3 tests fail"],
  ["SEEKING DIVINE CLARIFICATION", [], ""],
  ["SEEKING DIVINE CLARIFICATION: which database?", [], "which database?"],
  ["AGENT COMPLETE: codex#2", ["codex#2"], ""],
  ["OUT_OF_SCOPE: migrations → database", ["migrations", "database"], ""],
  ["OUT_OF_SCOPE: migrations -> database", ["migrations", "database"], ""],
  ["Checkpoint: users half of the tests pass", ["users"], "half of the tests pass"],
])("the signal line %s is read", (line, subject, text) => {
  expect(parseSignalLine(line)).toMatchObject({ subject, text, isMalformed: false });
});

test.each([
  "READY FOR AUDIT users",
  "READY FOR AUDIT (users)",
  "HEALTH AUDIT: fine",
  "HEALTH AUDIT",
  "AGENT COMPLETE",
  "AGENT COMPLETE:",
  "OUT_OF_SCOPE: migrations",
  "OUT_OF_SCOPE: → database",
  "SEEKING DIVINE CLARIFICATION about the database",
])("the line %s begins like a signal and is not one", (line) => {
  expect(parseSignalLine(line)).toMatchObject({ isMalformed: true });
});

test.each([
  "",
  "ready for audit: users",
  " READY FOR AUDIT: users",
  "READY FOR AUDITS: users",
  "Checkpoints: users",
  "The task is READY FOR AUDIT: users",
])("the line %s is no signal", (line) => {
  expect(parseSignalLine(line)).toBeUndefined();
});

test("the spelling that an agent is told to write for a signal is read as that signal", () => {
  for (const name of signalNames) {
    expect(parseSignalLine(writtenSignal(name, "users"))).toMatchObject({ name, isMalformed: false });
  }
});
