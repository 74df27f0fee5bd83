import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { seal } from "../durable/seal.ts";
import { nodeFiles } from "../world/files/node-files.ts";
import { FileJournal } from "./file-journal.ts";
import { moment, note } from "./journal.contract.ts";
import { peekJournal } from "./peek-journal.ts";
import { verifyLog } from "./verify-log.ts";

const files = nodeFiles();
let folder: string;
let ids = 0;

/** The files of another run that looks just like this one. */
let others: { readonly log: Buffer; readonly head: Buffer };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cox-log-rows-"));
  await record(["x"], ["y1", "y2"], ["z"], ["end"]);
  others = { log: bytes(), head: readFileSync(head()) };
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  await record(["a"], ["b1", "b2"], ["c"]);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Row {
  readonly id: string;
  readonly input: string;
  readonly given: () => void;
  /** The code of the refusal, or what the next writer finds and reports. */
  readonly expected: string | { readonly found: readonly string[]; readonly says?: RegExp };
}

const all = ["a", "b1", "b2", "c"];

const rows: readonly Row[] = [
  {
    id: "LOG-02",
    input: "the log shorter by a record than its head",
    given: () => keepLines(3),
    expected: "LOG_LOST_TAIL",
  },
  {
    id: "LOG-02",
    input: "the log shorter by an append",
    given: () => keepLines(1),
    expected: "LOG_LOST_TAIL",
  },
  { id: "LOG-02", input: "the log empty", given: () => truncateSync(log(), 0), expected: "LOG_LOST_TAIL" },
  { id: "LOG-02", input: "the log gone", given: () => unlinkSync(log()), expected: "LOG_LOST_TAIL" },
  {
    id: "LOG-02",
    input: "a byte of the last append flipped, which looks like a torn tail",
    given: () => flip(bytes().length - 10),
    expected: "LOG_LOST_TAIL",
  },
  {
    id: "LOG-04",
    input: "a line deleted",
    given: () => writeLines(([a, b, , d]) => [a, b, d]),
    expected: "LOG_CORRUPT",
  },
  {
    id: "LOG-04",
    input: "a line doubled",
    given: () => writeLines(([a, b, c, d]) => [a, a, b, c, d]),
    expected: "LOG_CORRUPT",
  },
  {
    id: "LOG-04",
    input: "two lines swapped",
    given: () => writeLines(([a, b, c, d]) => [a, c, b, d]),
    expected: "LOG_CORRUPT",
  },
  {
    id: "LOG-04",
    input: "the first line gone",
    given: () => writeLines(([, b, c, d]) => [b, c, d]),
    expected: "LOG_CORRUPT",
  },
  { id: "LOG-04", input: "a byte flipped in the middle", given: () => flip(60), expected: "LOG_CORRUPT" },
  {
    id: "LOG-05",
    input: "a tail of zeros",
    given: () => writeFileSync(log(), Buffer.concat([bytes(), Buffer.alloc(4096)])),
    expected: { found: all, says: /4,096 bytes behind record 4 .* kept in events\.jsonl\.torn-5/ },
  },
  {
    id: "LOG-05",
    input: "half an append",
    given: () => writeFileSync(log(), `${bytes()}{"v":1,"log":"lo`),
    expected: { found: all, says: /torn-5/ },
  },
  {
    id: "LOG-06",
    input: "the tail replaced by that of another log",
    given: () => transplant(3),
    expected: "LOG_CORRUPT",
  },
  {
    id: "LOG-06",
    input: "the tail replaced by a later part of another log, from the middle of a line on",
    given: () => transplant(3, 20),
    expected: "LOG_CORRUPT",
  },
  {
    id: "LOG-06",
    input: "the whole log replaced by that of another run, whose head is not there",
    given: () => writeFileSync(log(), others.log),
    expected: { found: ["x", "y1", "y2", "z", "end"], says: /another log/ },
  },
  ...(
    [
      ["missing", () => unlinkSync(head()), /missing and was created again/],
      ["empty", () => truncateSync(head(), 0), /damaged and was created again/],
      ["half", () => truncateSync(head(), 30), /damaged and was created again/],
      [
        "with a flipped digit",
        () => writeFileSync(head(), readFileSync(head(), "utf8").replace('"seq":4', '"seq":9')),
        /damaged/,
      ],
      [
        "another run's",
        () => writeFileSync(head(), `${seal({ v: 1, log: "other", seq: 9, last: "x" }).text}\n`),
        /another log/,
      ],
    ] as const
  ).map(
    ([input, given, says]): Row => ({
      id: "LOG-07",
      input: `the head ${input}`,
      given,
      expected: { found: all, says },
    }),
  ),
  {
    id: "LOG-07",
    input: "the head of a newer format",
    given: () => writeFileSync(head(), `${seal({ v: 2, tip: 4 }).text}\n`),
    expected: "STATE_BAD",
  },
  {
    id: "LOG-07",
    input: "the head of another record with the same number",
    given: () => {
      const { log: own } = JSON.parse(readFileSync(head(), "utf8"));
      writeFileSync(head(), `${seal({ v: 1, log: own, seq: 4, last: "0".repeat(32) }).text}\n`);
    },
    expected: "LOG_CORRUPT",
  },
  {
    id: "LOG-12",
    input: "an unknown event",
    given: () => addLine({ event: "task_teleported" }),
    expected: "LOG_VERSION",
  },
  { id: "LOG-12", input: "a newer format", given: () => addLine({ v: 2 }), expected: "LOG_VERSION" },
  { id: "LOG-12", input: "a format older than any", given: () => addLine({ v: 0 }), expected: "LOG_VERSION" },
  ...["events.jsonl", "lock", "head"].flatMap((name): Row[] => [
    {
      id: "LOG-13",
      input: `${name} is a symbolic link`,
      given: () => replaced(name, (path) => symlinkSync("/dev/null", path)),
      expected: "STATE_UNSAFE",
    },
    {
      id: "LOG-13",
      input: `${name} is a folder`,
      given: () => replaced(name, (path) => mkdirSync(path)),
      expected: "STATE_UNSAFE",
    },
    {
      id: "LOG-13",
      input: `${name} is a FIFO`,
      given: () => replaced(name, (path) => execFileSync("mkfifo", [path])),
      expected: "STATE_UNSAFE",
    },
  ]),
  {
    id: "LOG-13",
    input: "events.jsonl may only be read",
    given: () => chmodSync(log(), 0o444),
    expected: "STATE_UNSAFE",
  },
  {
    id: "LOG-15",
    input: "a lock file that a dead process left, whose number another program has now",
    given: () => writeFileSync(join(folder, "lock"), "process 1\n"),
    expected: { found: all },
  },
];

test.each(rows)("$id $input", async ({ given, expected }) => {
  given();
  const before = contents();
  if (typeof expected === "string") {
    expect(() => open()).toThrow(
      expect.objectContaining({ code: expected, hint: expect.stringMatching(/\w/) }),
    );
    expect(contents()).toEqual(before);
    return;
  }
  const journal = open();
  expect(reasons(journal.recorded)).toEqual(expected.found);
  if (expected.says) expect(journal.recovered).toEqual([expect.stringMatching(expected.says)]);
  else expect(journal.recovered).toEqual([]);
  journal.append([note("more")], moment);
  await journal.close();
  const again = open();
  expect(again.recovered).toEqual([]);
  expect(reasons(again.recorded)).toEqual([...expected.found, "more"]);
  await again.close();
});

test.each(rows.filter(({ expected }) => expected === "LOG_VERSION"))(
  "$id $input can still be looked at",
  async ({ given }) => {
    given();
    const peek = peekJournal(files, folder);
    const seen = await peek.read();
    peek.close();
    expect(seen.map(({ known }) => known)).toEqual([true, true, true, true, false]);
    expect(verifyLog({ files, folder })).toMatchObject({
      records: 5,
      damage: { code: "LOG_VERSION", line: 5 },
    });
  },
);

test("LOG-16 of many coordinators that start at once exactly one is let in, and the others are told who it is", async () => {
  const journal = FileJournal.open({
    files,
    folder,
    chance: { id: () => "x" },
    holder: "cox run, process 4711",
  });
  for (let other = 0; other < 15; other++)
    expect(() => open()).toThrow(
      expect.objectContaining({
        code: "LOCK_HELD",
        message: expect.stringContaining("cox run, process 4711"),
      }),
    );
  await journal.close();
});

test("LOG-17 a lock file that is deleted or replaced while it is held is noticed before the next append", async () => {
  for (const lose of [unlinkSync, (path: string) => renameSync(join(folder, "other"), path)]) {
    writeFileSync(join(folder, "other"), "");
    const journal = open();
    lose(join(folder, "lock"));
    expect(() => journal.append([note("x")], moment)).toThrow(expect.objectContaining({ code: "LOCK_LOST" }));
    await expect(journal.close()).rejects.toMatchObject({ code: "LOCK_LOST" });
  }
});

test.each([
  ["lock", "LOCK_LOST"],
  ["events.jsonl", "LOG_FOREIGN"],
])("after %s was moved away, no event is acknowledged any more", async (name, code) => {
  const journal = open();
  renameSync(join(folder, name), join(folder, "elsewhere"));
  journal.append([note("x")], moment);
  await expect(journal.durable()).rejects.toMatchObject({ code });
  expect(() => journal.append([note("y")], moment)).toThrow(expect.objectContaining({ code }));
  await expect(journal.close()).rejects.toMatchObject({ code });
});

test.each([
  ["cut off", () => truncateSync(log(), 10)],
  ["removed", () => unlinkSync(log())],
  ["replaced by a copy of itself", () => replaced("events.jsonl", (path, was) => writeFileSync(path, was))],
])("a run's log that is %s while we write it is not written any more", async (_how, harm) => {
  const journal = open();
  harm();
  const before = existsSync(log()) && bytes();
  expect(() => journal.append([note("x")], moment)).toThrow(expect.objectContaining({ code: "LOG_FOREIGN" }));
  await expect(journal.close()).rejects.toMatchObject({ code: "LOG_FOREIGN" });
  expect(existsSync(log()) && bytes()).toEqual(before);
});

test("a log of today is read by an invented next version, whose upcast is applied", async () => {
  const vocabulary = {
    version: 2,
    upcasters: {
      1: ({ data }: { data: unknown }) => ({ event: "renamed", data: { was: data } }),
    },
    knows: (event: string) => event === "renamed",
  };
  const journal = FileJournal.open({ files, folder, chance: { id: () => "x" }, vocabulary });
  expect(journal.recorded[0]).toMatchObject({ event: "renamed", data: { was: { reason: "a" } }, seq: 1 });
  journal.append([{ event: "renamed", data: { was: "b" } } as never], moment);
  await journal.close();
  expect(JSON.parse(lines()[4] ?? "")).toMatchObject({ v: 2, seq: 5 });
  expect(() => open()).toThrow(expect.objectContaining({ code: "LOG_VERSION" }));
});

test("a line of the log is as the architecture says, readable by a person", () => {
  expect(Object.keys(JSON.parse(lines()[0] ?? ""))).toEqual([
    "v",
    "log",
    "seq",
    "at",
    "t",
    "fence",
    "batch",
    "event",
    "data",
    "prev",
    "sum",
  ]);
});

async function record(...batches: string[][]): Promise<void> {
  const journal = open();
  for (const batch of batches) {
    journal.append(batch.map(note), moment);
    await journal.durable();
  }
  await journal.close();
}

function open(): FileJournal {
  return FileJournal.open({ files, folder, chance: { id: () => `log${++ids}` } });
}

function reasons(recorded: FileJournal["recorded"]): string[] {
  return recorded.map(({ data }) => (data as { reason: string }).reason);
}

function log(): string {
  return join(folder, "events.jsonl");
}

function head(): string {
  return join(folder, "head");
}

function bytes(): Buffer {
  return readFileSync(log());
}

function lines(): string[] {
  return linesOf(bytes());
}

function linesOf(given: Buffer): string[] {
  return given.toString().split(/(?<=\n)/);
}

function keepLines(count: number): void {
  writeFileSync(log(), lines().slice(0, count).join(""));
}

function writeLines(change: (lines: readonly string[]) => (string | undefined)[]): void {
  writeFileSync(log(), change(lines()).join(""));
}

function flip(place: number): void {
  const damaged = bytes();
  damaged[place] = (damaged[place] ?? 0) ^ 1;
  writeFileSync(log(), damaged);
}

/** Keeps this many of our lines, then continues with the other log, from that byte of the line on. */
function transplant(kept: number, from = 0): void {
  const theirs = linesOf(others.log).slice(kept).join("");
  writeFileSync(log(), lines().slice(0, kept).join("") + theirs.slice(from));
}

/** Adds a line that correctly follows the last one, except for the given changes. */
function addLine(change: { readonly v?: number; readonly event?: string }): void {
  const { sum: prev, log: own } = JSON.parse(lines()[3] ?? "");
  const at = new Date(moment.at).toISOString();
  const line = { v: 1, log: own, seq: 5, at, t: 1, fence: 5, batch: [5, 5], ...note("x"), ...change, prev };
  writeFileSync(log(), `${bytes()}${seal(line).text}\n`);
}

function replaced(name: string, make: (path: string, was: Buffer) => void): void {
  const path = join(folder, name);
  const was = readFileSync(path);
  unlinkSync(path);
  make(path, was);
}

/** Every regular file of the folder; the text of the lock does not matter. */
function contents(): Record<string, string> {
  const regular = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== "lock",
  );
  return Object.fromEntries(regular.map(({ name }) => [name, readFileSync(join(folder, name), "latin1")]));
}
