import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { handedInLine, readHandedIn } from "../../reply/handed-in.ts";
import { auditorJsonSchema, replyJsonSchema } from "../../reply/reply-json-schema.ts";
import { servedTurn, serverOfTurn } from "../../runtime/acts/served-turn.ts";
import { openFiles } from "../../world/files/choose-files.ts";
import { turnTools } from "./turn-tools.ts";

const describe = "what it is for, in words";
const create = (path: string, content = "new\n") => ({
  operation: "create",
  file_path: path,
  description: describe,
  content,
});
const edit = (path: string, old_string: string) => ({
  operation: "edit",
  file_path: path,
  description: describe,
  edits: [{ old_string, new_string: "changed" }],
});

test("each call of a turn's tools says what was accepted, and together they are the reply", () => {
  const { call, reply } = turn();
  expect(call("propose_operations", { operations: [create("a.txt")] })).toHaveProperty(
    "text",
    expect.stringContaining("1 operation, 1 in all"),
  );
  // Edits a file that was only proposed.
  expect(call("propose_operations", { operations: [edit("a.txt", "new")] })).toHaveProperty(
    "text",
    expect.stringContaining("1 operation, 2 in all"),
  );
  const done = { specialist_summary: "Made it.", signal: "READY FOR AUDIT: users" };
  expect(call("submit_reply", done)).toHaveProperty("text", expect.stringContaining("with 2 operations"));
  expect(reply()).toContain('"READY FOR AUDIT: users"');
});

test("the agent's own tried edits are submitted if it proposed nothing", () => {
  const { call, reply, tries } = turn();
  const done = { specialist_summary: "Made it.", signal: "READY FOR AUDIT: users" };
  expect(call("submit_reply", done)).toHaveProperty("problems");
  tries("a.txt");
  expect(call("submit_reply", done)).toHaveProperty("text", expect.stringContaining("with 1 operation."));
  expect(reply()).toContain('"a.txt"');
});

test("tried edits are checked against the desk when the agent submits", () => {
  const { call, tries } = turn();
  tries("../out.txt");
  const done = { specialist_summary: "Made it.", signal: "READY FOR AUDIT: users" };
  expect(call("submit_reply", done)).toMatchObject({ problems: [{ code: "PATH_DOTDOT" }] });
});

test("an agent that also proposes operations is told that its own edits do not count", () => {
  const { call, reply, tries } = turn();
  tries("a.txt");
  const answer = call("propose_operations", { operations: [create("b.txt")] });
  expect(answer).toHaveProperty("text", expect.stringContaining("1 operation, 1 in all"));
  expect(answer).toHaveProperty("text", expect.stringContaining("your own edits of a.txt do not"));
  expect(reply()).not.toContain("a.txt");
});

test.each<[string, object, string]>([
  ["a malformed operation", { operations: [{ operation: "create", file_path: "a" }] }, "SCHEMA_REQUIRED"],
  ["no list", { operations: "all of them" }, "SCHEMA_TYPE"],
  ["nothing", {}, "SCHEMA_REQUIRED"],
  ["a text that is not in the file", { operations: [edit("there.txt", "absent")] }, "OPS_FIND_NOT_FOUND"],
  ["a file that is there already", { operations: [create("there.txt")] }, "OPS_EXISTS"],
  ["a path outside", { operations: [create("../out.txt")] }, "PATH_DOTDOT"],
  ["a path that the task may not change", { operations: [create("other/x.txt")] }, "CLAIM_VIOLATION"],
])("proposing %s is refused at once, with a hint, and nothing of the call is kept", (_what, given, code) => {
  const { call, reply } = turn({ writes: ["*.txt"] });
  const answer = call("propose_operations", given);
  const problems = "problems" in answer ? answer.problems : [];
  expect(problems.map((problem) => problem.code)).toContain(code);
  for (const { hint } of problems) expect(hint.length).toBeGreaterThan(5);
  expect(reply()).toBeUndefined();
});

test("a problem with a proposal is reported by its place in the call, whatever was proposed before", () => {
  const { call } = turn();
  call("propose_operations", { operations: [create("a.txt"), create("b.txt")] });
  const answer = call("propose_operations", { operations: [create("c.txt"), edit("none.txt", "x")] });
  expect(answer).toMatchObject({ problems: [{ index: 1, path: "none.txt" }] });
});

test("a proposal that only a person may allow is accepted, and the answer says so", () => {
  const { call } = turn();
  const removal = { operation: "delete", file_path: "there.txt", description: describe };
  expect(call("propose_operations", { operations: [removal] })).toHaveProperty(
    "text",
    expect.stringContaining("A person will be asked about: there.txt"),
  );
});

test("submitting without work and without a reason is refused, unless work is captured at the desk", () => {
  const done = { specialist_summary: "Done.", signal: "READY FOR AUDIT: users" };
  expect(turn().call("submit_reply", done)).toHaveProperty("problems");
  expect(turn({ mode: "desk" }).call("submit_reply", done)).toHaveProperty("text");
  const open = { specialist_summary: "Not done.", signal: "TASK INCOMPLETE: the file is missing" };
  expect(turn().call("submit_reply", open)).toHaveProperty("text");
});

test("a signal about another task is refused", () => {
  const { call } = turn({ mode: "desk" });
  expect(call("submit_reply", { signal: "READY FOR AUDIT: others" })).toHaveProperty("problems");
});

test.each(["AGENT COMPLETE: x", "OUT_OF_SCOPE: a → b", "ROLLBACK REQUIRED: users", "HEALTH AUDIT: HEALTHY"])(
  "submitting %s is refused at once, with the signals that a developer has",
  (signal) => {
    const { call, reply } = turn({ mode: "desk" });
    const answer = call("submit_reply", { specialist_summary: "Done.", signal });
    const hint = expect.stringContaining("READY FOR AUDIT: users | TASK INCOMPLETE: users");
    expect(answer).toMatchObject({ problems: [{ code: "SIGNAL_ROLE", hint }] });
    expect(reply()).toBeUndefined();
    const { call: judge } = turn({ role: "auditor" });
    const verdict = { verdict: "PASS", evidence: [], signal: "READY FOR AUDIT" };
    expect(judge("submit_reply", verdict)).toMatchObject({ problems: [{ code: "SIGNAL_ROLE" }] });
  },
);

test("a developer or auditor with an open note is told that a person will be asked", () => {
  const notes = [{ description: "tabs or spaces?" }];
  const asked = expect.stringContaining("A person will be asked before the task continues: tabs or spaces?");
  expect(turn({ mode: "desk" }).call("submit_reply", { notes })).toHaveProperty("text", asked);
  const verdict = { verdict: "PASS", evidence: [], notes };
  expect(turn({ role: "auditor" }).call("submit_reply", verdict)).toHaveProperty("text", asked);
  const settled = { notes: [{ description: "spaces", status: "resolved" }] };
  expect(turn({ mode: "desk" }).call("submit_reply", settled)).not.toHaveProperty("text", asked);
});

test("if operations of an earlier reply are at the desk, submitting without operations is enough", () => {
  const done = { specialist_summary: "Done.", signal: "READY FOR AUDIT: users" };
  expect(turn({ isWorkAtDesk: true }).call("submit_reply", done)).toHaveProperty("text");
});

test("an auditor has one tool, which takes its judgement and nothing else", () => {
  const { tools, call, reply } = turn({ role: "auditor" });
  expect(tools.map(({ name }) => name)).toEqual(["submit_reply"]);
  expect(call("submit_reply", { verdict: "FAIL" })).toMatchObject({
    problems: [{ code: "AUDIT_NO_FINDING" }],
  });
  expect(reply()).toBeUndefined();
  const verdict = { verdict: "PASS", summary: "It is right.", evidence: [{ criterion: "a", evidence: "b" }] };
  expect(call("submit_reply", verdict)).toHaveProperty("text");
  expect(reply()).toContain('"PASS"');
});

test("a turn server that is restarted within the turn continues with what was handed in before", () => {
  const { call, again } = turn();
  call("propose_operations", { operations: [create("a.txt")] });
  expect(again("propose_operations", { operations: [create("b.txt")] })).toHaveProperty(
    "text",
    expect.stringContaining("2 in all"),
  );
  expect(again("propose_operations", { operations: [create("a.txt")] })).toHaveProperty("problems");
  expect(again("propose_operations", { operations: [create("a.txt")], replace: true })).toHaveProperty(
    "text",
    expect.stringContaining("1 in all"),
  );
});

test("the arguments of a turn's tools are those of a reply, as cox schema prints them", () => {
  const [propose, submit] = turn().tools;
  const { properties } = replyJsonSchema() as { properties: Record<string, unknown> };
  expect(propose?.input.properties).toHaveProperty("operations", properties.file_operations);
  expect(submit?.input.properties).toEqual(properties);
  expect(submit?.input).not.toHaveProperty("required");
  const [audit] = turn({ role: "auditor" }).tools;
  expect(audit?.input.properties).toEqual(auditorJsonSchema().properties);
});

test("a turn server refuses to start without the variables of a turn", () => {
  const { environment } = serverOfTurn(["node"], place("/nowhere/x", {}));
  expect(servedTurn(environment)).toMatchObject({ task: "users", mode: "proposal", role: "developer" });
  for (const name of Object.keys(environment).filter((one) => one !== "COX_WAY"))
    expect(servedTurn({ ...environment, [name]: undefined })).toMatchObject({
      problem: { code: "TURN_OUTSIDE" },
    });
});

interface TurnOptions {
  readonly role?: string;
  readonly mode?: "desk" | "proposal";
  readonly writes?: readonly string[];
  readonly isWorkAtDesk?: true;
}

function place(folder: string, options: TurnOptions) {
  const { role = "developer", mode = "proposal", writes = [], isWorkAtDesk } = options;
  const rules = { confirmDeletes: "ask", writes, ...(isWorkAtDesk && { isWorkAtDesk }) } as const;
  return {
    turn: "t1",
    task: "users",
    role,
    mode,
    rules,
    desk: join(folder, "desk"),
    scratch: join(folder, "scratch"),
  };
}

function turn(options: TurnOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "cox-turn-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const where = place(folder, options);
  for (const path of [where.desk, where.scratch]) mkdirSync(path);
  writeFileSync(join(where.desk, "there.txt"), "words\n");
  const served = servedTurn(serverOfTurn(["node"], where).environment);
  if ("problem" in served) throw new Error(served.problem.message);
  const called = (tools: ReturnType<typeof turnTools>) => (name: string, given: object) => {
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return tool.call(given as Record<string, unknown>);
  };
  const tools = turnTools(served, openFiles());
  const { role, task, mode } = served;
  const reply = () => {
    const lines = read(join(where.scratch, served.replyFile.name));
    return readHandedIn(lines, { role, task, desk: mode === "desk" }).replyText("cox-1");
  };
  const tries = (path: string) =>
    appendFileSync(
      join(where.scratch, served.replyFile.name),
      handedInLine({ tried: [create(path)], at: path }),
    );
  return { tools, call: called(tools), again: called(turnTools(served, openFiles())), reply, tries };
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
