import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nodeChance } from "../../../world/chance.ts";
import { nodeFiles } from "../../../world/files/node-files.ts";
import { nodeClock } from "../../../world/time/clock.ts";
import type { AskPerson, ToolContext } from "../../tool.ts";
import { applyFileOperations } from "./apply-file-operations.ts";
import { allow, refuse } from "./confirmation-words.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cox-apply-tool-"));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const create = (path: string, content: string) => ({
  operation: "create",
  file_path: path,
  description: "as it was asked for",
  content,
});
const remove = (path: string) => ({
  operation: "delete",
  file_path: path,
  description: "not needed any more",
});

test("apply_file_operations does the same for operations as data and for a reply in prose", async () => {
  const asData = await call({ file_operations: [create("a.txt", "one\n")] });
  expect(asData).toMatchObject({ data: { ok: true, applied: 1 } });
  const reply = `Here it is:\n\n\`\`\`json\n${JSON.stringify({ file_operations: [create("b.txt", "two\n")] })}\n\`\`\`\n`;
  expect(await call({ reply })).toMatchObject({ data: { ok: true, applied: 1 } });
  expect([read("a.txt"), read("b.txt")]).toEqual(["one\n", "two\n"]);
});

test("a reply with one mistake changes nothing and names the mistake", async () => {
  const answer = await call({ file_operations: [create("a.txt", "one\n"), create("../b.txt", "two\n")] });
  expect(answer).toMatchObject({ problems: [{ code: "PATH_DOTDOT", index: 1 }] });
  expect(existsSync(join(root, "a.txt"))).toBe(false);
});

test("open notes of an applied reply are warned about, since nobody is asked here", async () => {
  const file_operations = [create("a.txt", "one\n")];
  const left = { file_operations, notes: [{ description: "tabs or spaces?" }] };
  expect(await call({ reply: JSON.stringify(left) })).toMatchObject({
    data: {
      applied: 1,
      warnings: [{ code: "REPLY_LEFT_OPEN", message: expect.stringContaining("tabs or spaces?") }],
    },
  });
  const settled = {
    file_operations: [create("b.txt", "two\n")],
    notes: [{ description: "x", status: "resolved" }],
  };
  expect(await call({ reply: JSON.stringify(settled) })).toMatchObject({ data: { warnings: [] } });
});

test("a dry run of apply_file_operations says what would be done, and does nothing", async () => {
  const answer = await call({ file_operations: [create("a.txt", "one\n")], dry_run: true });
  expect(answer).toMatchObject({ data: { applied: 0, operations: [{ path: "a.txt", status: "planned" }] } });
  expect(existsSync(join(root, "a.txt"))).toBe(false);
});

test("a changeset with the same id is applied once", async () => {
  await call({ file_operations: [create("a.txt", "one\n")], id: "mine" });
  writeFileSync(join(root, "a.txt"), "by hand\n");
  expect(await call({ file_operations: [create("a.txt", "one\n")], id: "mine" })).toMatchObject({
    data: { changeset: "mine", applied: 0 },
  });
  expect(read("a.txt")).toBe("by hand\n");
});

test("apply_file_operations takes exactly one of reply and file_operations", async () => {
  expect(await call({})).toMatchObject({ problems: [{ code: "SCHEMA_ONE_OF" }] });
  expect(await call({ reply: "x", file_operations: [] })).toMatchObject({
    problems: [{ code: "SCHEMA_ONE_OF" }],
  });
});

test("if nobody can be asked, a delete waits, with the command for a person to type", async () => {
  writeFileSync(join(root, "old.txt"), "old\n");
  const answer = await call({ file_operations: [remove("old.txt")] });
  expect(answer).toMatchObject({ problems: [{ path: "old.txt" }] });
  const [{ hint }] = (answer as unknown as { problems: [{ hint: string }] }).problems;
  const kept = /cox apply (\S+)$/.exec(hint)?.[1] ?? "";
  expect(JSON.parse(read(kept))).toEqual({ file_operations: [remove("old.txt")] });
  expect(read("old.txt")).toBe("old\n");
});

test("a person who is asked about a delete sees the content, and their answer decides", async () => {
  writeFileSync(join(root, "old.txt"), "old words\n");
  const shown: string[] = [];
  const person = (said: string): AskPerson => ({
    async choose(question) {
      shown.push(question);
      return said;
    },
    write: async () => undefined,
  });
  const operations = { file_operations: [remove("old.txt")] };
  expect(await call(operations, person(refuse))).toMatchObject({ problems: [{ code: "CONFIRM_DENIED" }] });
  expect(read("old.txt")).toBe("old words\n");
  expect(await call(operations, person(allow))).toMatchObject({ data: { applied: 1 } });
  expect(existsSync(join(root, "old.txt"))).toBe(false);
  expect(shown[0]).toContain("old words");
});

async function call(given: object, person?: AskPerson) {
  const context = {
    root,
    files: nodeFiles(),
    clock: nodeClock,
    chance: nodeChance,
    signal: new AbortController().signal,
    ...(person && { person }),
  } as ToolContext;
  return applyFileOperations.call(applyFileOperations.input.parse(given), context);
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
