/** Repair of the documents' log on the model disk: whatever happened to its bytes, and wherever the repair is ended. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { FileStore } from "../../src/document-store/file-store.ts";
import { type HistoryLosses, repairHistory } from "../../src/document-store/repair-history.ts";
import { verifyHistory } from "../../src/document-store/verify-history.ts";
import { decodeLogLine } from "../../src/durable/log-line.ts";
import type { Repaired } from "../../src/durable/repaired.ts";
import { assert } from "../../src/std/assert.ts";
import { sized } from "../sized.ts";
import {
  author,
  type DocumentsLife,
  deciding,
  documentsLives,
  documentsOn,
  liveDocuments,
  nothingReported,
  openDocuments,
  plainOf,
} from "./documents-life.ts";
import { crashAt } from "./explore.ts";
import { ModelDisk } from "./model-disk.ts";
import { modelFiles } from "./model-files.ts";

const life = lifeOf("edits of two documents in turn");
const log = ".coxswain/documents/log.jsonl";

test("a repair of a damaged log keeps every readable record in order, and keeps the original", async () => {
  const sound = await lived(life);
  const harm = fc.oneof(
    fc.record({ at: fc.nat(), byte: fc.nat(255) }),
    fc.record({ at: fc.nat(), cut: fc.nat(600) }),
    fc.record({ at: fc.nat(), put: fc.constantFrom("\n", "{}\n", "\0\0\0", '"', firstLine(sound)) }),
  );
  const property = fc.asyncProperty(fc.array(harm, { minLength: 1, maxLength: 4 }), async (harms) => {
    const disk = sound.clone();
    const damaged = harms.reduce(harmed, bytesOf(disk));
    disk.put(log, new Uint8Array(damaged));
    const documents = documentsOn(disk);
    const repaired = await repair(disk);
    if (repaired.outcome === "refused") {
      expect(repaired.problem.code).toBe("LOG_SOUND");
      expect(bytesOf(disk)).toEqual(damaged);
      return;
    }
    expect(historyOn(disk)).toEqual(readableIn(damaged));
    expect(verifyHistory(modelFiles(disk), "/").damage).toBeUndefined();
    expect(bytesOf(disk, `${log}.before-repair`)).toEqual(damaged);
    expect(documentsOn(disk)).toEqual(documents);
    await goOn(disk);
  });
  await fc.assert(property, { numRuns: sized({ sample: 50, campaign: 200 }) });
});

test("a repair of the log that crashes anywhere leaves a log that is repaired or can be repaired", async () => {
  const sound = await lived(life);
  let states = 0;
  for (const spoilt of sized({ sample: [2], campaign: [0, 2] }))
    for (let call = 0; ; call++) {
      const begun = sound.clone();
      const damaged = spoiled(bytesOf(begun), spoilt);
      begun.put(log, new Uint8Array(damaged));
      const documents = documentsOn(begun);
      const ended = await crashAt(begun, { call, part: 1 }, async () => void (await repair(begun)));
      if (ended === "reached the end") break;
      for (const mode of ["kill", "ordered", "weak"] as const)
        for (const disk of begun.crashStates(mode, { limit: sized({ sample: 1, campaign: 3 }), seed: 1 })) {
          states++;
          if (verifyHistory(modelFiles(disk), "/").damage)
            expect(await repair(disk)).toMatchObject({ outcome: "repaired" });
          expect(historyOn(disk), `call ${call}, ${mode}`).toEqual(readableIn(damaged));
          expect(documentsOn(disk)).toEqual(documents);
          await goOn(disk);
        }
    }
  expect(states).toBeGreaterThan(sized({ sample: 30, campaign: 100 }));
});

function lifeOf(name: string): DocumentsLife {
  const found = documentsLives.find((one) => one.name === name);
  assert(found, `there is a life "${name}"`);
  return found;
}

async function lived(what: DocumentsLife): Promise<ModelDisk> {
  const disk = ModelDisk.of(plainOf(what));
  await liveDocuments(FileStore, what, disk, nothingReported());
  return disk;
}

function repair(disk: ModelDisk): Promise<Repaired<HistoryLosses>> {
  let count = 0;
  const chance = { id: () => `anew-${count++}` };
  const at = new Date(1_700_000_000_000).toISOString();
  return repairHistory({ files: modelFiles(disk), root: "/", chance, by: author, at, consent: true });
}

/** The history, without the gaps. */
function historyOn(disk: ModelDisk): string[] {
  const store = openDocuments(FileStore, disk);
  return store.history().flatMap(({ tool, about }) => (tool === "test" ? [about] : []));
}

/** Makes the next change and checks that nothing else changed. */
async function goOn(disk: ModelDisk): Promise<void> {
  const before = documentsOn(disk);
  const store = openDocuments(FileStore, disk, "next");
  await store.change(author, deciding("the next", { "/next.md": "add" }));
  await store.close();
  expect(historyOn(disk).at(-1)).toBe("the next");
  expect(documentsOn(disk)).toEqual(before);
}

type Harm = { at: number; byte?: number; cut?: number; put?: string };

function harmed(bytes: Buffer, { at, byte, cut = 0, put: text = "" }: Harm): Buffer {
  const place = at % (bytes.length + 1);
  const middle = byte === undefined ? Buffer.from(text) : Buffer.from([byte]);
  const rest = bytes.subarray(place + cut + (byte === undefined ? 0 : 1));
  return Buffer.concat([bytes.subarray(0, place), middle, rest]);
}

/** The log with one line altered. */
function spoiled(bytes: Buffer, line: number): Buffer {
  const lines = bytes.toString().split(/(?<=\n)/);
  return Buffer.from(lines.with(line, (lines[line] ?? "").replace("test", "tesd")).join(""));
}

/** What each complete line is about. A line that occurs twice counts once. */
function readableIn(bytes: Buffer): string[] {
  const found = new Map<string, string>();
  for (const line of bytes.toString("latin1").split("\n")) {
    const read = decodeLogLine(Buffer.from(line, "latin1"));
    if (read && !found.has(read.sum)) found.set(read.sum, (read.data as { about: string }).about);
  }
  return [...found.values()];
}

function firstLine(disk: ModelDisk): string {
  return (
    bytesOf(disk)
      .toString()
      .split(/(?<=\n)/)[0] ?? ""
  );
}

function bytesOf(disk: ModelDisk, path = log): Buffer {
  const entry = disk.snapshot().get(path);
  return Buffer.from(entry?.kind === "file" ? entry.bytes : []);
}
