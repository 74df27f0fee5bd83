import { expect, test } from "vitest";
import { journalContract, moment, note } from "../../src/journal/journal.contract.ts";
import { memoryJournal } from "./memory-journal.ts";

journalContract("in memory", () => {
  let syncs = 0;
  let gate: PromiseWithGate | undefined;
  let fails = false;
  const journals = memoryJournal({
    sync: async () => {
      syncs++;
      if (fails) throw Object.assign(new Error("EIO: injected"), { code: "EIO" });
      await gate?.promise;
    },
  });
  return {
    open: () => journals.open(),
    syncs: () => syncs,
    hold: () => {
      gate = newGate();
    },
    release: () => {
      gate?.open();
      gate = undefined;
      fails = false;
    },
    failSyncs: () => {
      fails = true;
    },
    crash: (kept) => journals.crash(kept),
    loseLock: () => journals.loseLock(),
    interfere: () => journals.interfere(note("foreign"), moment),
    end: () => undefined,
  };
});

test("a test chooses how many appends survive a crash, and the rest are gone", async () => {
  for (const kept of [0, 1, 2, 3]) {
    const journals = memoryJournal({ sync: () => new Promise(() => undefined) });
    const journal = journals.open();
    for (const reason of ["a", "b", "c"]) journal.append([note(reason)], moment);
    expect(journals.unsettled).toBe(3);
    journals.crash(kept);
    expect(journals.open().recorded).toHaveLength(kept);
  }
});

test("durable appends always survive a crash", async () => {
  const journals = memoryJournal();
  const journal = journals.open();
  const recorded = journal.append([note("a")], moment);
  expect(journals.survivors()).toEqual([]);
  await journal.durable();
  expect(journals.survivors()).toEqual(recorded);
  expect(journals.unsettled).toBe(0);
});

interface PromiseWithGate {
  readonly promise: Promise<void>;
  open(): void;
}

function newGate(): PromiseWithGate {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
