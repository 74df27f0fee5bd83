import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type DocumentPath, fileOf } from "../document/address.ts";
import type { Author, DocumentEdit } from "../document/store.ts";
import { nodeChance } from "../world/chance.ts";
import { openFiles } from "../world/files/choose-files.ts";
import { nodeClock } from "../world/time/clock.ts";
import { FileStore } from "./file-store.ts";
import { undoChange } from "./undo-change.ts";

const a = "/a.md" as DocumentPath;
const b = "/b.md" as DocumentPath;
const agent: Author = { name: "an agent", door: "mcp-stdio" };
const person: Author = { name: "ana", door: "terminal" };
let root: string;
let store: FileStore;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "undo-change-"));
  store = FileStore.open({ files: openFiles(), root, clock: nodeClock, chance: nodeChance });
});

afterEach(async () => {
  await store.close();
  rmSync(root, { recursive: true });
});

test("undoing an edit restores the text it removed, and undoing the undo removes it again", async () => {
  await doing({ do: "create", path: a, text: "one two three" });
  await doing(spliced([0, 3, "1"], [8, 13, ""]));
  expect(texts()).toEqual({ [a]: "1 two " });
  expect(await undo()).toMatchObject({ undone: { number: 2, about: "did it" }, by: 3 });
  expect(texts()).toEqual({ [a]: "one two three" });
  expect(await undo(3)).toMatchObject({ undone: { number: 3 }, by: 4 });
  expect(texts()).toEqual({ [a]: "1 two " });
  expect(store.history().at(-1)).toMatchObject({ by: person, undoes: 3, tool: "cox undo --documents" });
});

test("one undo removes a document that was created and restores one that was removed", async () => {
  await doing({ do: "create", path: a, text: "old" });
  await doing({ do: "remove", path: a }, { do: "create", path: b, text: "new" });
  expect(texts()).toEqual({ [b]: "new" });
  await undo();
  expect(texts()).toEqual({ [a]: "old" });
});

test("repeated undo of documents goes back change by change, newest first, until none is left", async () => {
  await doing({ do: "create", path: a, text: "x" });
  await doing(spliced([1, 1, "y"]));
  await doing(spliced([2, 2, "z"]));
  for (const left of [{ [a]: "xy" }, { [a]: "x" }, {}]) {
    await undo();
    expect(texts()).toEqual(left);
  }
  expect(await undo()).toMatchObject({ problem: { code: "UNDO_NOTHING" } });
});

test("a change of a document is not undone if others changed the document since; they are named", async () => {
  await doing({ do: "create", path: a, text: "x" });
  await doing(spliced([0, 1, ""]));
  await doing(spliced([0, 0, "later"]));
  const refused = await undo(2);
  expect(refused).toMatchObject({ problem: { code: "UNDO_CHANGED_SINCE", path: a } });
  expect(JSON.stringify(refused)).toMatch(
    /by change 3 \(an agent, a tool\).*cox undo --documents 3\..*cox log --documents 2/,
  );
  put(a, "by hand");
  expect(JSON.stringify(await undo(3))).toContain("by somebody with an editor");
  expect(texts()).toEqual({ [a]: "by hand" });
});

test("if one of several documents was changed since, none of them is put back", async () => {
  await doing({ do: "create", path: a, text: "a" }, { do: "create", path: b, text: "b" });
  put(b, "by hand");
  expect(await undo()).toMatchObject({ problem: { code: "UNDO_CHANGED_SINCE", path: b } });
  expect(texts()).toEqual({ [a]: "a", [b]: "by hand" });
});

test("undoing an unknown change, or one already undone, is refused with what to type", async () => {
  await doing({ do: "create", path: a, text: "a" });
  expect(await undo(7)).toMatchObject({ problem: { code: "CHANGE_UNKNOWN", message: /the last one is 1/ } });
  await undo(1);
  expect(await undo(1)).toMatchObject({ problem: { code: "UNDO_ALREADY", hint: /cox undo --documents 2$/ } });
});

test("undoing any changes from last to first restores the documents as they were before", async () => {
  const edit = fc.record({
    at: fc.nat(20),
    cut: fc.nat(6),
    put: fc.constantFrom("", "x", "é日", "😀\n", "long text"),
  });
  const change = fc.oneof(fc.constant("remove" as const), fc.array(edit, { minLength: 1, maxLength: 3 }));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      put(a, "as it was\nat first\n");
      let done = 0;
      for (const one of changes) {
        const { document } = store.read(a);
        const before = store.history().length;
        if (!document) await doing({ do: "create", path: a, text: "made anew" });
        else if (one === "remove") await doing({ do: "remove", path: a });
        else await doing({ do: "splice", path: a, splices: apart(one, document.text) });
        done += store.history().length - before;
      }
      for (let at = 0; at < done; at += 1) expect(await undo()).toHaveProperty("undone");
      expect(texts()).toEqual({ [a]: "as it was\nat first\n" });
    }),
    { numRuns: 25 },
  );
});

async function doing(...edits: DocumentEdit[]): Promise<void> {
  await store.change(agent, () => ({
    answer: undefined,
    edits,
    done: { tool: "a tool", about: "did it" },
  }));
}

function spliced(...splices: (readonly [number, number, string])[]): DocumentEdit {
  return { do: "splice", path: a, splices: splices.map(([start, end, text]) => ({ start, end, text })) };
}

/** Splices that do not overlap, never inside a character. */
function apart(edits: readonly { at: number; cut: number; put: string }[], text: string) {
  const whole = (at: number) => (/[\ud800-\udbff]/.test(text[at - 1] ?? "") ? at + 1 : at);
  let least = 0;
  return edits.map(({ at, cut, put: into }) => {
    const start = whole(Math.min(text.length, least + at));
    const end = whole(Math.min(text.length, start + cut));
    least = end;
    return { start, end, text: into };
  });
}

function undo(number?: number) {
  const tool = "cox undo --documents";
  return undoChange(store, { author: person, tool, ...(number !== undefined && { number }) });
}

function put(path: DocumentPath, text: string): void {
  const file = join(root, ".coxswain", fileOf(path));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function texts(): Record<string, string> {
  const folder = join(root, ".coxswain/docs");
  return Object.fromEntries(
    readdirSync(folder).map((name) => [`/${name}`, readFileSync(join(folder, name), "utf8")]),
  );
}
