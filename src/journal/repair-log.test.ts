import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
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
import { repairLog } from "./repair-log.ts";
import { verifyLog } from "./verify-log.ts";

const files = nodeFiles();
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cox-repair-"));
  for (const batch of [["a"], ["b1", "b2"], ["c"]]) {
    const journal = open();
    journal.append(batch.map(note), moment);
    await journal.close();
  }
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a sound log of a run is reported with its contents and needs no repair", () => {
  const report = verifyLog({ files, folder });
  const { sum } = JSON.parse(lines()[3] ?? "");
  expect(report).toEqual({
    log: "it",
    bytes: readFileSync(log()).length,
    records: 4,
    batches: 3,
    writers: 3,
    last: sum,
    head: "sound",
    headSeq: 4,
    tornBytes: 0,
  });
  expect(repairLog({ files, folder, consent: true })).toMatchObject({
    outcome: "refused",
    problem: { code: "LOG_SOUND" },
  });
});

test("a torn tail of a run's log is reported, but needs no repair", () => {
  writeFileSync(log(), `${readFileSync(log())}{"v":1,`);
  expect(verifyLog({ files, folder })).toMatchObject({ records: 4, tornBytes: 7, head: "sound" });
  expect(verifyLog({ files, folder }).damage).toBeUndefined();
  expect(repairLog({ files, folder, consent: true }).outcome).toBe("refused");
});

test("the first damage of a run's log is reported with its line and byte, and what to do", () => {
  spoil();
  expect(verifyLog({ files, folder })).toMatchObject({
    records: 1,
    damage: {
      code: "LOG_CORRUPT",
      line: 2,
      offset: lines()[0]?.length,
      hint: expect.stringContaining("cox log --repair"),
    },
  });
});

test("without consent a repair of a run's log changes nothing, and says exactly what would be lost", () => {
  spoil();
  const before = everything();
  expect(repairLog({ files, folder, consent: false })).toMatchObject({
    outcome: "consent needed",
    damage: { line: 2 },
    losses: {
      after: 1,
      bytes: lines().slice(1).join("").length,
      readable: [
        { seq: 3, event: "state_recovery_needed" },
        { seq: 4, event: "state_recovery_needed" },
      ],
    },
  });
  expect(everything()).toEqual(before);
});

test("a repair cuts a run's log before the damage, keeps the original, and the run can continue", async () => {
  spoil();
  const original = readFileSync(log());
  const repaired = repairLog({ files, folder, consent: true });
  expect(repaired).toMatchObject({ outcome: "repaired", losses: { after: 1 } });
  const [kept = ""] = repaired.outcome === "repaired" ? repaired.kept : [];
  expect(readFileSync(join(folder, kept))).toEqual(original);
  expect(verifyLog({ files, folder })).toMatchObject({ records: 1, head: "sound", headSeq: 1 });
  const journal = open();
  expect(journal.recovered).toEqual([]);
  expect(journal.append([note("on")], moment)).toMatchObject([{ seq: 2 }]);
  await journal.close();
  expect(verifyLog({ files, folder }).damage).toBeUndefined();
});

test("a second repair of a run's log keeps its original beside the first one", () => {
  for (let time = 0; time < 2; time++) {
    writeFileSync(log(), lines().slice(0, -1).join(""));
    expect(repairLog({ files, folder, consent: true }).outcome).toBe("repaired");
  }
  expect(readdirSync(folder).filter((name) => name.startsWith("events.jsonl.before-repair"))).toHaveLength(2);
});

test.each([
  ["shorter than its head", () => truncateSync(log(), lines()[0]?.length ?? 0), 1, { first: 2, last: 4 }],
  ["gone", () => unlinkSync(log()), 0, { first: 1, last: 4 }],
])(
  "a run's log that is %s can be accepted as it is, and the numbers of the lost records are reported",
  async (_, harm, after, unseen) => {
    harm();
    expect(verifyLog({ files, folder }).damage).toMatchObject({ code: "LOG_LOST_TAIL" });
    expect(repairLog({ files, folder, consent: true })).toMatchObject({
      outcome: "repaired",
      losses: { after, unseen, bytes: 0, readable: [] },
    });
    const journal = open();
    expect(journal.recorded).toHaveLength(after);
    await journal.close();
  },
);

test("a log head of a newer version is written again from the log", () => {
  writeFileSync(join(folder, "head"), `${seal({ v: 9 }).text}\n`);
  expect(verifyLog({ files, folder }).damage).toMatchObject({ code: "STATE_BAD" });
  expect(repairLog({ files, folder, consent: true })).toMatchObject({
    losses: { after: 4, bytes: 0 },
    kept: ["events.jsonl.before-repair", "head.before-repair"],
  });
  expect(verifyLog({ files, folder }).damage).toBeUndefined();
});

test("a run's log of a newer version is not broken, and is not repaired", () => {
  const [first = "", ...rest] = lines();
  const { sum: _, ...line } = JSON.parse(first);
  writeFileSync(log(), `${seal({ ...line, event: "from_the_future" }).text}\n`);
  expect(rest).toHaveLength(3);
  unlinkSync(join(folder, "head"));
  const before = everything();
  expect(repairLog({ files, folder, consent: true })).toMatchObject({
    outcome: "refused",
    problem: { code: "LOG_VERSION" },
  });
  expect(everything()).toEqual(before);
});

test("a run's log is not repaired while the run has a writer", async () => {
  spoil();
  const spoilt = readFileSync(log());
  writeFileSync(log(), "");
  unlinkSync(join(folder, "head"));
  const journal = open();
  writeFileSync(log(), spoilt);
  expect(() => repairLog({ files, folder, consent: true })).toThrow(
    expect.objectContaining({ code: "LOCK_HELD" }),
  );
  await journal.close();
});

/** Damages the first line of the second append. */
function spoil(): void {
  const [one, two = "", ...rest] = lines();
  writeFileSync(log(), [one, two.replace("b1", "B1"), ...rest].join(""));
}

function open(): FileJournal {
  return FileJournal.open({ files, folder, chance: { id: () => "it" } });
}

function log(): string {
  return join(folder, "events.jsonl");
}

function lines(): string[] {
  return readFileSync(log(), "utf8").split(/(?<=\n)/);
}

function everything(): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name !== "lock");
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}
