import fc from "fast-check";
import { expect, test } from "vitest";
import { type HandedIn, handedInLine, readHandedIn } from "./handed-in.ts";
import { readReply } from "./read.ts";

const rules = { role: "developer", task: "users", desk: false };
const created = (path: string) => ({
  operation: "create",
  file_path: path,
  description: "make the file that is wanted",
  content: `of ${path}\n`,
});
const lines = (...all: HandedIn[]) => all.map(handedInLine).join("");
const done = { specialist_summary: "Made them.", signal: "READY FOR AUDIT: users" };

test("operations proposed in several calls and then submitted are one reply", () => {
  const text = lines({ propose: [created("a")] }, { propose: [created("b")] }, { submit: done });
  const reply = readReply(readHandedIn(text, rules).replyText("cox-1") ?? "", {
    fence: "cox-1",
    task: "users",
  }).reply;
  expect(reply?.operations.map(({ filePath }) => filePath)).toEqual(["a", "b"]);
  expect(reply).toMatchObject({ summary: "Made them.", signal: { name: "READY FOR AUDIT" } });
});

test("after a kill of the turn server, the calls that were answered count", () => {
  const before = lines({ propose: [created("a")] });
  const after = lines({ propose: [created("b")] });
  const cut = fc.integer({ min: 0, max: after.length - 2 });
  fc.assert(
    fc.property(cut, (at) => {
      // A half-written line does not spoil what comes after it either.
      const text = before + after.slice(0, at) + lines({ propose: [created("c")] });
      expect(readHandedIn(text, rules).count).toBe(2);
    }),
  );
});

test("whatever an agent writes into the file of its reply is checked like any other reply", () => {
  const text = [
    "words",
    "{}",
    "null",
    '{"propose":[{"operation":"explode"}]}',
    '{"submit":{"signal":"AUDIT PASSED - users"}}',
    '{"propose":7,"replace":true}',
  ].join("\n");
  const proposals = readHandedIn(`${text}${lines({ propose: [created("a")] })}`, rules);
  expect(proposals.count).toBe(1);
  expect(readHandedIn(text, rules).replyText("cox-1")).toBeUndefined();
});
