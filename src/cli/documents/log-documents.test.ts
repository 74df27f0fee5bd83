import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { DocumentPath } from "../../document/address.ts";
import { FileStore } from "../../document-store/file-store.ts";
import { noPaint } from "../../view/text/paint.ts";
import { nodeChance } from "../../world/chance.ts";
import { openFiles } from "../../world/files/choose-files.ts";
import type { CommandContext } from "../command-context.ts";
import { Values } from "../table/command-line.ts";
import { logDocuments } from "./log-documents.ts";

const clock = { now: () => Date.UTC(2026, 2, 1, 12, 4, 11) };
const a = "/a.md" as DocumentPath;
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "log-documents-"));
});

afterEach(() => rmSync(root, { recursive: true }));

async function makeChanges(): Promise<void> {
  const store = FileStore.open({ files: openFiles(), root, clock, chance: nodeChance });
  for (const [number, slug] of ["one", "two"].entries())
    await store.change({ name: "c 1", door: "mcp-http" }, (now) => ({
      answer: undefined,
      edits: [
        now.read(a).document
          ? { do: "splice", path: a, splices: [{ start: 0, end: 0, text: `${number}` }] }
          : { do: "create", path: a, text: "text" },
      ],
      done: { tool: "t", about: `did ${slug}`, tasks: [{ document: a, slug, status: "completed" }] },
    }));
  await store.close();
}

async function run(options: Readonly<Record<string, string>>, { json = false, words = [] as string[] } = {}) {
  const values = new Values();
  for (const [name, value] of Object.entries({ root, ...options })) values.add(name, value);
  let printed = "";
  let noticed = "";
  const door: CommandContext = {
    words,
    values,
    terminal: {
      print: (text) => {
        printed += text;
      },
      notice: (text) => {
        noticed += text;
      },
      paint: noPaint,
      noticePaint: noPaint,
      isWatched: false,
      json,
      isUnread: () => false,
      size: () => ({ columns: 100, rows: 30 }),
      ascii: false,
    },
    signal: new AbortController().signal,
    takeOverInterrupts: () => {},
    files: openFiles(),
    clock,
    chance: nodeChance,
    stdin: new PassThrough(),
    findPerson: () => undefined,
    ignoreKeys: () => () => {},
  };
  const code = await logDocuments(door, { user: "ana", enclosingTurn: undefined, typed: [] });
  return { code, printed, noticed };
}

test("the log of unchanged documents says that nothing was changed, and creates nothing", async () => {
  expect(await run({})).toMatchObject({ code: 0, printed: "no document has been changed here yet\n" });
  expect(await run({ verify: "" })).toMatchObject({ code: 0 });
});

test("the log of documents has a line for each change, only the last ones with --limit, and is data with --json", async () => {
  await makeChanges();
  const { printed } = await run({});
  expect(printed.split("\n").map((line) => line.slice(26))).toEqual([
    " c 1 (mcp-http)  t  did one  /a.md#one",
    " c 1 (mcp-http)  t  did two  /a.md#two",
    "",
  ]);
  expect((await run({ limit: "1" })).printed.split("\n")).toHaveLength(2);
  const lines = (await run({}, { json: true })).printed.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).about)).toEqual(["did one", "did two"]);
});

test("--verify says whether the log of documents is as it was written", async () => {
  await makeChanges();
  expect((await run({ verify: "" })).printed).toMatch(/^✓ the log is sound: 2 changes in 2 records/);
  const log = join(root, ".coxswain/documents/log.jsonl");
  const whole = readFileSync(log, "utf8");
  writeFileSync(log, whole.replace("did one", "did 0ne"));
  const broken = await run({ verify: "" });
  expect(broken).toMatchObject({ code: 5, printed: "" });
  expect(broken.noticed).toContain("LOG_CORRUPT");
  expect((await run({})).code).toBe(5);
  writeFileSync(log, whole.slice(0, whole.indexOf("\n") + 1));
  const document = JSON.parse((await run({ verify: "" }, { json: true })).printed);
  expect(document).toMatchObject({ ok: false, errors: [{ code: "LOG_LOST_TAIL" }] });
  writeFileSync(log, whole);
  appendFileSync(log, '{"v":1,"lo');
  expect((await run({ verify: "" })).printed).toMatch(/10 B.* cut off by a crash/);
});

test("--repair keeps the readable part of the log of documents, after a yes", async () => {
  await makeChanges();
  const log = join(root, ".coxswain/documents/log.jsonl");
  const damaged = readFileSync(log, "utf8").replace("did one", "did 0ne");
  writeFileSync(log, damaged);
  const asked = await run({ repair: "" });
  expect(asked).toMatchObject({ code: 3, printed: "" });
  expect(asked.noticed).toMatch(/NEEDS_YES[\s\S]*1 record can be read\. 1 line \(.+\) cannot be read\./);
  expect(readFileSync(log, "utf8")).toBe(damaged);
  const document = JSON.parse((await run({ repair: "" }, { json: true })).printed);
  expect(document).toMatchObject({
    ok: false,
    repaired: false,
    losses: { records: 1, lines: 1, unseen: null },
    errors: [{ code: "NEEDS_YES" }],
  });
  const repaired = await run({ repair: "", yes: "" });
  expect(repaired).toMatchObject({ code: 0, noticed: "" });
  expect(repaired.printed).toContain("kept as .coxswain/documents/log.jsonl.before-repair");
  expect((await run({})).printed).toMatch(
    /ana \(terminal\) {2}cox log --documents --repair {2}1 line .*could not be read.*\n.*did two/,
  );
  expect((await run({ verify: "" })).code).toBe(0);
  expect((await run({ repair: "" })).printed).toBe("✓ the log is sound: there is nothing to repair\n");
});

test.each([
  [{ limit: "0" }, [], /--limit "0" is not a number/],
  [{ limit: "many" }, [], /--limit "many" is not a number/],
  [{ follow: "" }, [], /--follow applies to the log of a run/],
  [{}, ["1", "2"], /"2" applies to the log of a run/],
  [{ task: "a" }, ["brave"], /--task, "brave" applies to the log of a run/],
])("%j %j is refused", async (options, words, message) => {
  const { code, noticed } = await run(options as Record<string, string>, { words });
  expect(code).toBe(2);
  expect(noticed).toMatch(message);
});
