import { mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { DocumentPath } from "../document/address.ts";
import type { Author } from "../document/store.ts";
import type { Repaired } from "../durable/repaired.ts";
import { seal } from "../durable/seal.ts";
import { nodeChance } from "../world/chance.ts";
import { openFiles } from "../world/files/choose-files.ts";
import { FileStore } from "./file-store.ts";
import { type HistoryLosses, repairHistory } from "./repair-history.ts";
import { verifyHistory } from "./verify-history.ts";

const files = openFiles();
const clock = { now: () => Date.UTC(2026, 2, 1) };
const ana: Author = { name: "ana", door: "terminal" };
const a = "/a.md" as DocumentPath;
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cox-repair-"));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test("a log of documents that is sound, torn or missing needs no repair", async () => {
  expect(await repair(true)).toMatchObject({ outcome: "refused", problem: { code: "LOG_SOUND" } });
  await change("one");
  expect(await repair(true)).toMatchObject({ outcome: "refused", problem: { code: "LOG_SOUND" } });
  writeFileSync(log(), `${lines().join("")}{"v":1,"lo`);
  expect(await repair(true)).toMatchObject({ outcome: "refused", problem: { code: "LOG_SOUND" } });
});

test("without consent a repair of the documents' log changes nothing, and says what would be lost", async () => {
  await change("one", "two", "three", "four");
  spoil(1);
  const before = everything();
  expect(await repair(false)).toMatchObject({
    outcome: "consent needed",
    damage: { code: "LOG_CORRUPT", hint: expect.stringContaining("cox log --documents --repair") },
    losses: { records: 3, lines: 1, bytes: lines()[1]?.length },
  });
  expect(everything()).toEqual(before);
});

test("a repair keeps the records before and after the damage, reports the gap, and changes can be made again", async () => {
  await change("one", "two", "three", "four");
  const text = document();
  spoil(1);
  const original = readFileSync(log());
  const repaired = await repair(true);
  expect(repaired).toMatchObject({ outcome: "repaired", losses: { records: 3, lines: 1 } });
  expect(keptOf(repaired)).toEqual(["log.jsonl.before-repair", "head.before-repair"]);
  expect(readFileSync(room("log.jsonl.before-repair"))).toEqual(original);
  expect(verifyHistory(files, root)).toMatchObject({ records: 4, tornBytes: 0 });
  expect(verifyHistory(files, root).damage).toBeUndefined();
  expect(history()).toEqual([
    "one",
    expect.stringMatching(
      /^1 line \(.+\) of the log could not be read; what was there is kept as log\.jsonl/,
    ),
    "three",
    "four",
  ]);
  expect(document()).toBe(text);
  await change("five");
  expect(history().at(-1)).toBe("five");
  expect(document()).toBe(`${text}five\n`);
  expect(await repair(true)).toMatchObject({ problem: { code: "LOG_SOUND" } });
});

test("a process that has the documents' log open continues with the repaired one", async () => {
  const store = open();
  await add(store, "one");
  await add(store, "two");
  spoil(0);
  expect((await repair(true)).outcome).toBe("repaired");
  await add(store, "three");
  await store.close();
  expect(history()).toEqual([expect.stringContaining("1 line"), "two", "three"]);
  expect(verifyHistory(files, root).damage).toBeUndefined();
});

test.each([
  ["shorter than it was", () => writeFileSync(log(), lines().slice(0, 2).join("")), 2, ["one", "two"]],
  ["gone", () => unlinkSync(log()), 0, []],
])(
  "repairing a log of documents that is %s reports the numbers of the lost records",
  async (_, harm, records, left) => {
    await change("one", "two", "three", "four");
    harm();
    expect(verifyHistory(files, root).damage).toMatchObject({ code: "LOG_LOST_TAIL" });
    expect(await repair(true)).toMatchObject({
      outcome: "repaired",
      losses: { records, lines: 0, unseen: { first: records + 1, last: 4 } },
    });
    expect(history()).toEqual([...left, expect.stringContaining(`records ${records + 1} to 4`)]);
    await change("five");
    expect(verifyHistory(files, root).damage).toBeUndefined();
  },
);

test("a repair finishes the last change of a killed writer, even if the log was damaged before it", async () => {
  await change("one", "two", "three");
  const done = document();
  // The state after a crash between the record and the rename.
  writeFileSync(join(root, ".coxswain/docs/a.md"), "one\ntwo\n");
  const head = readFileSync(room("head"), "utf8").trimEnd().split(/\n+/);
  writeFileSync(room("head"), `\n${head.slice(0, -1).join("\n\n")}\n`);
  spoil(0);
  expect((await repair(true)).outcome).toBe("repaired");
  await change("four");
  expect(document()).toBe(`${done}four\n`);
});

test("a change is not applied again because the changes that followed it were lost", async () => {
  await change("one", "two", "three");
  // As if the third change, which is lost, had restored the document to its state before the second.
  writeFileSync(join(root, ".coxswain/docs/a.md"), "one\n");
  spoil(2);
  expect((await repair(true)).outcome).toBe("repaired");
  await change("four");
  expect(document()).toBe("one\nfour\n");
});

test("a withdrawn change of documents stays withdrawn under its new number after a repair", async () => {
  await change("one", "two", "three");
  const [, second = ""] = lines();
  const { sum: _, ...line } = JSON.parse(lines()[2] ?? "");
  const withdrawal = { ...line, event: "documents_change_withdrawn", data: { seq: JSON.parse(second).seq } };
  writeFileSync(log(), [lines()[0], second, `${seal(withdrawal).text}\n`].join(""));
  spoil(0);
  expect((await repair(true)).outcome).toBe("repaired");
  expect(history()).toEqual([expect.stringContaining("1 line")]);
});

test("a log of documents with a record of a newer version is not repaired, and keeps it", async () => {
  await change("one", "two");
  const { sum: _, ...line } = JSON.parse(lines()[1] ?? "");
  writeFileSync(log(), `${lines()[0]?.replace("one", "0ne")}${seal({ ...line, v: 9 }).text}\n`);
  const before = everything();
  expect((await repair(true)).outcome).toBe("refused");
  expect(everything()).toEqual(before);
});

function repair(consent: boolean): Promise<Repaired<HistoryLosses>> {
  return repairHistory({ files, root, chance: nodeChance, by: ana, at: "2026-03-02T00:00:00.000Z", consent });
}

function keptOf(repaired: Repaired<HistoryLosses>): readonly string[] {
  return repaired.outcome === "repaired" ? repaired.kept : [];
}

function open(): FileStore {
  return FileStore.open({ files, root, clock, chance: nodeChance });
}

/** Each change adds a line at the end of the document. */
async function change(...abouts: string[]): Promise<void> {
  const store = open();
  for (const about of abouts) await add(store, about);
  await store.close();
}

function add(store: FileStore, about: string): Promise<void> {
  return store.change(ana, (now) => {
    const before = now.read(a).document;
    const end = before?.text.length ?? 0;
    return {
      answer: undefined,
      edits: [
        before
          ? { do: "splice", path: a, splices: [{ start: end, end, text: `${about}\n` }] }
          : { do: "create", path: a, text: `${about}\n` },
      ],
      done: { tool: "t", about },
    };
  });
}

function history(): string[] {
  const store = open();
  try {
    return store.history().map(({ about }) => about);
  } finally {
    void store.close();
  }
}

function document(): string {
  return readFileSync(join(root, ".coxswain/docs/a.md"), "utf8");
}

function room(name: string): string {
  return join(root, ".coxswain/documents", name);
}

function log(): string {
  return room("log.jsonl");
}

function lines(): string[] {
  return readFileSync(log(), "utf8").split(/(?<=\n)/);
}

/** Corrupts one line of the log. */
function spoil(at: number): void {
  const all = lines();
  writeFileSync(log(), all.with(at, (all[at] ?? "").replace('"t"', '"T"')).join(""));
}

function everything(): Record<string, string> {
  const names = readdirSync(room("."), { withFileTypes: true }).filter((entry) => entry.isFile());
  const kept = names.map(({ name }) => name).filter((name) => name !== "lock");
  return Object.fromEntries(kept.map((name) => [name, readFileSync(room(name), "latin1")]));
}
