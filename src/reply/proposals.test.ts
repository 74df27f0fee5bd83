import { expect, test } from "vitest";
import { Proposals } from "./proposals.ts";
import { readReply } from "./read.ts";
import { readAudit } from "./read-audit.ts";

const fence = "cox-5ac1";
const create = (path: string, content = "x\n") => ({
  operation: "create",
  file_path: path,
  description: "make the file",
  content,
});

function developer({ desk = false } = {}): Proposals {
  return new Proposals({ role: "developer", task: "users", desk });
}

function read(text: string | undefined, { desk = false } = {}) {
  return readReply(text ?? "", { fence, task: "users", desk });
}

const codes = (problems: readonly { code: string }[]) => problems.map(({ code }) => code);

test("operations proposed in several calls and the submission are one reply", () => {
  const proposals = developer();
  expect(proposals.propose([create("a.ts")])).toEqual([]);
  expect(proposals.propose([create("b.md", "```js\n1\n```\n")])).toEqual([]);
  expect(proposals.submit({ specialist_summary: "both", signal: "READY FOR AUDIT" })).toEqual([]);
  const { reply, problems } = read(proposals.replyText(fence));
  expect(problems).toEqual([]);
  expect(reply?.operations.map(({ filePath }) => filePath)).toEqual(["a.ts", "b.md"]);
  expect(reply).toMatchObject({ summary: "both", signal: { name: "READY FOR AUDIT" } });
});

test("a proposal with a problem is not kept, and the answer says where it is wrong", () => {
  const proposals = developer();
  const problems = proposals.propose([create("a.ts"), { ...create("b.ts"), operation: "move" }]);
  expect(problems).toMatchObject([{ code: "SCHEMA_ENUM", index: 1, field: "operation" }]);
  expect(proposals.count).toBe(0);
  expect(proposals.replyText(fence)).toBeUndefined();
});

test.each([
  ["nothing", undefined, "SCHEMA_REQUIRED"],
  ["an empty list", [], "SCHEMA_RANGE"],
  ["a text", "create a.ts", "SCHEMA_TYPE"],
  [
    "a placeholder",
    [{ ...create("a.ts", "a\n// rest of the code unchanged\n"), operation: "edit" }],
    "REPLY_PLACEHOLDER",
  ],
  ["half a character", [create("a.ts", "\ud800")], "CONTENT_ILL_FORMED"],
  ["a key that reaches the prototype", JSON.parse('[{"__proto__": {}}]'), "JSON_FORBIDDEN_KEY"],
  ["a value that is too deep", JSON.parse(`${"[".repeat(9000)}${"]".repeat(9000)}`), "JSON_TOO_DEEP"],
])("to propose %s is refused", (_, operations, code) => {
  expect(codes(developer().propose(operations))).toContain(code);
});

test("a submission without any work or reason is refused", () => {
  expect(codes(developer().submit({ signal: "READY FOR AUDIT" }))).toEqual(["SCHEMA_REQUIRED"]);
  expect(developer({ desk: true }).submit({ signal: "READY FOR AUDIT" })).toEqual([]);
  expect(developer().submit({ signal: "TASK INCOMPLETE: there is no database" })).toEqual([]);
  expect(codes(developer().submit({ signal: "READY FOR AUDIT: roles" }))).toEqual(["SIGNAL_TASK"]);
  expect(codes(developer().submit("done"))).toEqual(["SCHEMA_TYPE"]);
  expect(codes(developer().submit(undefined)).length).toBeGreaterThan(0);
});

test("operations in a submission count, and a later submission replaces them", () => {
  const proposals = developer();
  expect(proposals.submit({ file_operations: [create("a.ts")] })).toEqual([]);
  expect(proposals.submit({ file_operations: [create("b.ts")], specialist_summary: "b" })).toEqual([]);
  const { reply } = read(proposals.replyText(fence));
  expect(reply?.operations.map(({ filePath }) => filePath)).toEqual(["b.ts"]);
});

test("a submission with other operations than the proposed ones is refused; with the same ones it is accepted", () => {
  const proposals = developer();
  proposals.propose([create("a.ts")]);
  expect(codes(proposals.submit({ file_operations: [create("b.ts")] }))).toEqual(["PROPOSAL_TWICE"]);
  expect(proposals.submit({ file_operations: [create("a.ts")] })).toEqual([]);
  expect(read(proposals.replyText(fence)).reply?.operations).toHaveLength(1);
});

test("proposed operations can be replaced", () => {
  const proposals = developer();
  proposals.propose([create("a.ts")]);
  proposals.propose([create("b.ts")], { replace: true });
  expect(read(proposals.replyText(fence)).reply?.operations).toMatchObject([{ filePath: "b.ts" }]);
});

test("words beside proposed operations belong to the reply", () => {
  const proposals = developer();
  proposals.propose([create("a.ts")]);
  const { reply, problems } = read(proposals.replyText(fence, "Made it.\n\nREADY FOR AUDIT: users"));
  expect(problems).toEqual([]);
  expect(reply).toMatchObject({ signal: { name: "READY FOR AUDIT" }, operations: [{ filePath: "a.ts" }] });
});

test("a block with the turn's tag in the last words counts as a submission", () => {
  const proposals = developer();
  proposals.propose([create("a.ts")]);
  const words = `Done.\n\n\`\`\`${fence}\n{"specialist_summary": "it is there"}\n\`\`\`\n`;
  const { reply } = read(proposals.replyText(fence, words));
  expect(reply).toMatchObject({ summary: "it is there", operations: [{ filePath: "a.ts" }] });
});

test("more operations than a reply can hold are refused, and the earlier ones stay", () => {
  const proposals = developer();
  const large = "x".repeat(1024 * 1024);
  expect(proposals.propose([create("a.txt", large)])).toEqual([]);
  expect(codes(proposals.propose([create("b.txt", large)]))).toEqual(["LIMIT_REPLY"]);
  expect(codes(proposals.submit({ specialist_summary: large }))).toEqual(["LIMIT_REPLY"]);
  expect(proposals.count).toBe(1);
});

test("an auditor submits its judgement and proposes nothing", () => {
  const proposals = new Proposals({ role: "auditor", task: "users", desk: true });
  expect(codes(proposals.propose([create("a.ts")]))).toEqual(["PROPOSAL_ROLE"]);
  expect(codes(proposals.submit({ verdict: "FAIL", findings: [] }))).toEqual(["AUDIT_NO_FINDING"]);
  expect(proposals.submit({ verdict: "PASS", summary: "fine" })).toEqual([]);
  const text = proposals.replyText(fence) ?? "";
  expect(readAudit(text, { fence, task: "users" }).audit).toMatchObject({ verdict: "PASS" });
});

test("a proposal that does not fit the desk is refused by its place in the call", () => {
  const taken = new Set(["b.ts"]);
  const proposals = new Proposals({
    role: "developer",
    task: "users",
    desk: false,
    judge: (operations) =>
      operations
        .filter(({ filePath }) => taken.has(filePath))
        .map(({ index }) => ({ code: "OPS_EXISTS", message: "it is there", hint: "Edit it.", index })),
  });
  expect(proposals.propose([create("a.ts")])).toEqual([]);
  expect(proposals.propose([create("c.ts"), create("b.ts")])).toMatchObject([{ index: 1 }]);
  expect(proposals.count).toBe(1);
  taken.add("a.ts");
  expect(proposals.submit({ signal: "READY FOR AUDIT" })).toMatchObject([{ code: "OPS_EXISTS", index: 0 }]);
});

const tried = (path: string, content?: string) => [create(path, content)];
const paths = (text: string | undefined) => read(text).reply?.operations.map(({ filePath }) => filePath);

test("an agent's tried edits are its reply if it names no operations", () => {
  const proposals = developer();
  proposals.noteTried("a.ts", tried("a.ts"));
  proposals.noteTried("b.ts", tried("b.ts"));
  proposals.noteTried("a.ts", tried("a.ts", "later\n"));
  expect(proposals.count).toBe(2);
  const { reply } = read(proposals.replyText(fence, "Done.\nREADY FOR AUDIT: users"));
  expect(reply).toMatchObject({
    operations: [{ filePath: "b.ts" }, { filePath: "a.ts" }],
    signal: { name: "READY FOR AUDIT" },
  });
  expect(JSON.stringify(reply)).toContain("later");
});

test("an edit that the agent took back is in no reply", () => {
  const proposals = developer();
  proposals.noteTried("a.ts", tried("a.ts"));
  proposals.noteTried("a.ts", []);
  expect(proposals.replyText(fence, "READY FOR AUDIT: users")).toBeUndefined();
});

test("a submission without operations includes the edits tried before and after it", () => {
  const proposals = developer();
  expect(codes(proposals.submit({ signal: "READY FOR AUDIT" }))).toEqual(["SCHEMA_REQUIRED"]);
  proposals.noteTried("a.ts", tried("a.ts"));
  expect(proposals.submit({ signal: "READY FOR AUDIT" })).toEqual([]);
  proposals.noteTried("b.ts", tried("b.ts"));
  expect(paths(proposals.replyText(fence, "Over."))).toEqual(["a.ts", "b.ts"]);
});

const named = JSON.stringify({ file_operations: [create("own.ts")] });
test.each([
  [
    "proposes some",
    (proposals: Proposals) => proposals.propose([create("own.ts")]),
    "READY FOR AUDIT: users",
  ],
  [
    "submits some",
    (proposals: Proposals) =>
      proposals.submit({ signal: "READY FOR AUDIT", file_operations: [create("own.ts")] }),
    "",
  ],
  ["has some in the turn's block", () => [], `\`\`\`${fence}\n${named}\n\`\`\`\nREADY FOR AUDIT: users`],
  ["has some in another block", () => [], `\`\`\`json\n${named}\n\`\`\`\nREADY FOR AUDIT: users`],
])("of an agent that %s only those count, and never its tried edits as well", (_, hand, words) => {
  const proposals = developer();
  proposals.noteTried("a.ts", tried("a.ts"));
  expect(hand(proposals)).toEqual([]);
  expect(paths(proposals.replyText(fence, words) ?? words)).toEqual(["own.ts"]);
  expect(proposals.triedPaths).toEqual(["a.ts"]);
});

test("broken operations are reported as broken, and not replaced by tried edits", () => {
  const proposals = developer();
  proposals.noteTried("a.ts", tried("a.ts"));
  const words = `\`\`\`json\n${named.replace('"create"', '"move"')}\n\`\`\`\nREADY FOR AUDIT: users`;
  expect(codes(read(proposals.replyText(fence, words)).problems)).toEqual(["SCHEMA_ENUM"]);
});

test("an auditor's tried edits never count", () => {
  const proposals = new Proposals({ role: "auditor", task: "users", desk: false });
  proposals.noteTried("a.ts", tried("a.ts"));
  expect(proposals.replyText(fence, "AUDIT PASSED - users")).toBeUndefined();
});
