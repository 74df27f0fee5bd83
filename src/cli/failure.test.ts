import { expect, test } from "vitest";
import { BrokenClaim } from "../std/assert.ts";
import { failureOf } from "./failure.ts";

const coded = (code: string, extra: object = {}) => Object.assign(new Error("it failed"), { code, ...extra });
const problem = { code: "PATH_SYMLINK", message: "a link", hint: "Use the real path." };

test.each([
  ["a held lock", coded("LOCK_HELD"), 6, "LOCK_HELD"],
  ["a lost lock", coded("LOCK_LOST"), 6, "LOCK_LOST"],
  ["a full disk", coded("IO_ENOSPC"), 74, "IO_ENOSPC"],
  ["a bare errno of the disk", coded("EIO"), 74, "IO_EIO"],
  ["a root that is gone", coded("ROOT_GONE", { problem: { ...problem, code: "ROOT_GONE" } }), 5, "ROOT_GONE"],
  ["no way to lock", coded("ENOSYS"), 5, "ENOSYS"],
  ["a program that was replaced", coded("PROGRAM_CHANGED"), 5, "PROGRAM_CHANGED"],
  ["what carries its problem", coded("PATH_SYMLINK", { problem }), 1, "PATH_SYMLINK"],
  ["a damaged ledger", coded("LOG_CORRUPT"), 5, "LOG_CORRUPT"],
  ["a log that lost its end", coded("LOG_LOST_TAIL"), 5, "LOG_LOST_TAIL"],
  ["a log that somebody else writes", coded("LOG_FOREIGN"), 5, "LOG_FOREIGN"],
  ["a folder that may not be written", coded("EACCES"), 74, "IO_EACCES"],
  ["an interrupt", new DOMException("stop", "AbortError"), 130, "INTERRUPTED"],
  ["a broken claim", new BrokenClaim("a is b"), 70, "BUG"],
  ["a broken claim with a code", Object.assign(new BrokenClaim("a is b"), { code: "EIO" }), 70, "BUG"],
  ["anything else", new TypeError("x is not a function"), 70, "BUG"],
  ["what is no error at all", "boo", 70, "BUG"],
])("%s ends with its own exit code", (_what, thrown, exit, code) => {
  const failure = failureOf(thrown);
  expect(failure).toMatchObject({ exit, problem: { code } });
  expect(failure.problem.hint).not.toBe("");
});

test("for a read-only folder the advice is chmod, not moving it away", () => {
  const { hint } = failureOf(coded("STATE_UNSAFE")).problem;
  expect(hint).toContain("chmod -R u+w .coxswain");
  expect(hint).not.toContain("move");
});

test("only our own bugs have a stack to show", () => {
  expect(failureOf(new BrokenClaim("x")).stack).toContain("BrokenClaim");
  expect(failureOf(coded("IO_EIO")).stack).toBeUndefined();
});
