import { expect, test } from "vitest";
import type { Turn } from "../../kernel/state.ts";
import { type HandedIn, handedInLine } from "../../reply/handed-in.ts";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import type { Ports } from "../loop/ports.ts";
import { withHandedIn } from "./handed-in-reply.ts";

const create = (path: string) => ({
  operation: "create",
  file_path: path,
  description: "as the task says",
  content: "x\n",
});
const tried = (path: string): HandedIn => ({ tried: [create(path)], at: path });
const ready = "Done.\nREADY FOR AUDIT: users";

async function ended(words: string, ...handedIn: HandedIn[]) {
  const kept = new Map<string, string>();
  const ports = {
    scratch: { handedIn: () => handedIn.map(handedInLine).join("") },
    archive: { keep: async (name: string, bytes: Uint8Array) => kept.set(name, decodeUtf8(bytes)) },
  } as unknown as Ports;
  const turn = {
    turn: "users.1.1",
    task: "users",
    role: "developer",
    fenceTag: "cox-5ac1",
  } as unknown as Turn;
  const outcome = {
    ended: { kind: "replied" as const },
    reply: encodeUtf8(words),
    ...{ lastLine: "", misconduct: [] },
  };
  const place = { desk: "/desks/one", scratch: "/desks/one.scratch" };
  const { reply, misconduct } = await withHandedIn(ports, {
    ...{ turn, mode: "proposal", isWorkAtDesk: false },
    ...place,
    outcome,
  });
  return { reply: decodeUtf8(reply), misconduct, kept };
}

test("an agent's tried edits are appended to its words as operations, and its words are kept as they were", async () => {
  const { reply, misconduct, kept } = await ended(ready, tried("a.txt"));
  expect(reply).toContain("READY FOR AUDIT: users");
  expect(reply).toContain('"file_path": "a.txt"');
  expect(misconduct).toEqual([]);
  expect(kept.get("turns/users.1.1/printed.txt")).toBe(ready);
});

test("an agent that named operations is told which of its edits they leave out, however they are spelled", async () => {
  const named = { propose: [create("./a.txt"), create("/desks/one/b.txt")] };
  const { reply, misconduct } = await ended(ready, tried("a.txt"), tried("b.txt"), tried("c.txt"), named);
  expect(reply).not.toContain("c.txt");
  expect(misconduct).toEqual([
    {
      code: "EDITS_LEFT_OUT",
      message:
        "it tried to edit c.txt itself, and also sent operations on other files: only the operations count",
    },
  ]);
});

test("operations in the agent's words replace its tried edits too, and its words stay as they are", async () => {
  const words = `\`\`\`json\n${JSON.stringify({ file_operations: [create("own.txt")] })}\n\`\`\`\n${ready}`;
  const { reply, misconduct, kept } = await ended(words, tried("a.txt"));
  expect(reply).toBe(words);
  expect(misconduct).toMatchObject([{ code: "EDITS_LEFT_OUT" }]);
  expect(kept.size).toBe(0);
});

test("a reply without anything handed in is not changed", async () => {
  expect(await ended(ready)).toMatchObject({ reply: ready, misconduct: [] });
});
