/**
 * What every implementation of `Journal` promises. Each one, in memory and in files, runs the same tests, including
 * another writer and a crash.
 */

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Event } from "../kernel/event.ts";
import type { Moment } from "../kernel/moment.ts";
import { BrokenClaim } from "../std/assert.ts";
import type { Journal } from "./journal.ts";

export interface JournalWorld {
  open(): Journal;
  /** How many syncs of the log have begun. */
  syncs(): number;
  /** Syncs that begin from now on wait for `release`. */
  hold(): void;
  release(): void;
  /** Syncs that begin from now on fail with EIO. */
  failSyncs(): void;
  /** The writer's process ends. Of the appends written but not synced, the first `kept` survive whole. */
  crash(kept: number): void;
  /** Somebody removes the lock's file. */
  loseLock(): void;
  /** Somebody else appends a sound record without the writer's knowledge. */
  interfere(): void;
  end(): void;
}

export function journalContract(name: string, make: () => JournalWorld): void {
  let world: JournalWorld;

  beforeEach(() => {
    world = make();
  });
  afterEach(() => world.end());

  describe(`${name}: an event`, () => {
    test("is numbered at once, in order, with its time and the number of its writer's first event", async () => {
      const journal = world.open();
      expect(journal.append([note("a"), note("b")], { at: 1_700_000_000_001, time: 2.5 })).toEqual([
        { ...note("a"), at: 1_700_000_000_001, time: 2.5, seq: 1, fence: 1 },
        { ...note("b"), at: 1_700_000_000_001, time: 2.5, seq: 2, fence: 1 },
      ]);
      expect(journal.append([note("c")], moment)).toMatchObject([{ seq: 3, fence: 1 }]);
      await journal.close();
    });

    test("is there for the next writer, who has a fence of its own", async () => {
      const first = world.open();
      expect(first.recorded).toEqual([]);
      const appended = [
        ...first.append([note("a"), note("b")], moment),
        ...first.append([note("c")], moment),
      ];
      await first.close();
      const second = world.open();
      expect(second.recorded).toEqual(appended);
      expect(second.recovered).toEqual([]);
      expect(second.append([note("d")], moment)).toMatchObject([{ seq: 4, fence: 4 }]);
      await second.close();
      const third = world.open();
      expect(third.recorded.map(({ fence }) => fence)).toEqual([1, 1, 1, 4]);
      await third.close();
    });

    test("comes back as it was given, whatever is in it", async () => {
      await fc.assert(
        fc.asyncProperty(fc.jsonValue(), fc.string({ unit: "binary" }), async (json, text) => {
          const own = make();
          const journal = own.open();
          const data = { reason: text, json: JSON.parse(JSON.stringify(json)) };
          journal.append([{ event: "state_recovery_needed", data } as Event], moment);
          await journal.close();
          const again = own.open();
          expect(again.recorded.map((recorded) => recorded.data)).toEqual([data]);
          await again.close();
          own.end();
        }),
        { numRuns: 30, seed: 1 },
      );
    });
  });

  describe(`${name}: durability`, () => {
    test("comes with the sync and not with the append", async () => {
      const journal = world.open();
      world.hold();
      journal.append([note("a")], moment);
      const durable = settledFlag(journal.durable());
      await turns();
      expect(durable.settled).toBe(false);
      world.release();
      await durable.promise;
      await journal.close();
    });

    test("is shared: what is ready together costs one sync, what comes meanwhile one more", async () => {
      const journal = world.open();
      const before = world.syncs();
      world.hold();
      const together = Array.from({ length: 100 }, (_, number) => {
        journal.append([note(`${number}`)], moment);
        return journal.durable();
      });
      await turns();
      const meanwhile = Array.from({ length: 50 }, (_, number) => {
        journal.append([note(`later ${number}`)], moment);
        return settledFlag(journal.durable());
      });
      await turns();
      expect(world.syncs() - before).toBe(1);
      expect(meanwhile.some(({ settled }) => settled)).toBe(false);
      world.release();
      await Promise.all([...together, ...meanwhile.map(({ promise }) => promise)]);
      expect(world.syncs() - before).toBe(2);
      await journal.close();
      expect(reopened(world)).toHaveLength(150);
    });

    test("is reported in the order of the appends", async () => {
      const journal = world.open();
      const told: number[] = [];
      const waiting = Array.from({ length: 20 }, async (_, number) => {
        for (let turn = 0; turn < number % 5; turn++) await undefined;
        const [recorded] = journal.append([note("x")], moment);
        await journal.durable();
        told.push(recorded?.seq ?? 0);
      });
      await Promise.all(waiting);
      expect(told).toEqual([...told].sort((one, other) => one - other));
      await journal.close();
    });

    test("without an append holds at once, and costs no sync", async () => {
      const journal = world.open();
      const before = world.syncs();
      await journal.durable();
      expect(world.syncs()).toBe(before);
      await journal.close();
    });

    test("is waited for by close", async () => {
      const journal = world.open();
      journal.append([note("a")], moment);
      const closed = [journal.close(), journal.close()];
      expect(() => journal.append([note("b")], moment)).toThrow(BrokenClaim);
      await Promise.all(closed);
      expect(reopened(world)).toHaveLength(1);
    });

    test("that failed once is never promised again, and what was acknowledged before is kept", async () => {
      const journal = world.open();
      journal.append([note("kept")], moment);
      await journal.durable();
      world.failSyncs();
      journal.append([note("lost")], moment);
      const both = [journal.durable(), journal.durable()];
      for (const one of both) await expect(one).rejects.toMatchObject({ code: "IO_EIO" });
      world.release();
      expect(() => journal.append([note("more")], moment)).toThrow(
        expect.objectContaining({ code: "IO_EIO" }),
      );
      await expect(journal.durable()).rejects.toMatchObject({ code: "IO_EIO" });
      await expect(journal.close()).rejects.toMatchObject({ code: "IO_EIO" });
      expect(reopened(world)[0]).toBe("kept");
      expect(reopened(world)).not.toContain("more");
    });
  });

  describe(`${name}: after a crash`, () => {
    test.each([0, 1, 2])("an append is there whole or not at all (%d of two survive)", async (kept) => {
      const journal = world.open();
      journal.append([note("a")], moment);
      await journal.durable();
      world.hold();
      journal.append([note("b1"), note("b2"), note("b3")], moment);
      journal.append([note("c1"), note("c2")], moment);
      await turns();
      journal.append([note("never written")], moment);
      world.crash(kept);
      const expected = [
        "a",
        ...["b1", "b2", "b3"].slice(0, kept > 0 ? 3 : 0),
        ...["c1", "c2"].slice(0, kept > 1 ? 2 : 0),
      ];
      expect(reopened(world)).toEqual(expected);
      expect(reopened(world)).toEqual(expected);
    });

    test("the dead writer writes nothing more, and the next one goes on", async () => {
      const dead = world.open();
      dead.append([note("a")], moment);
      await dead.durable();
      world.crash(0);
      expect(() => dead.append([note("ghost")], moment)).toThrow();
      await expect(dead.durable()).rejects.toThrow();
      const next = world.open();
      next.append([note("b")], moment);
      await next.close();
      expect(reopened(world)).toEqual(["a", "b"]);
    });
  });

  describe(`${name}: one writer`, () => {
    test("a second one is refused while there is a first, and let in afterwards", async () => {
      const first = world.open();
      expect(() => world.open()).toThrow(expect.objectContaining({ code: "LOCK_HELD" }));
      first.append([note("a")], moment);
      await first.close();
      await world.open().close();
    });

    test("a writer that lost the lock writes nothing more, even if it comes back to life", async () => {
      const first = world.open();
      first.append([note("a")], moment);
      await first.durable();
      world.loseLock();
      const second = world.open();
      second.append([note("b")], moment);
      await second.durable();
      for (let again = 0; again < 2; again++)
        expect(() => first.append([note("stale")], moment)).toThrow(
          expect.objectContaining({ code: "LOCK_LOST" }),
        );
      await expect(first.durable()).rejects.toMatchObject({ code: "LOCK_LOST" });
      await expect(first.close()).rejects.toMatchObject({ code: "LOCK_LOST" });
      second.append([note("c")], moment);
      await second.close();
      expect(reopened(world)).toEqual(["a", "b", "c"]);
    });

    test("a writer that lost the lock while a group was waiting does not write the group", async () => {
      const first = world.open();
      world.hold();
      first.append([note("a")], moment);
      await turns();
      first.append([note("stale")], moment);
      world.loseLock();
      world.release();
      await expect(first.durable()).rejects.toMatchObject({ code: "LOCK_LOST" });
      await first.close().catch(() => undefined);
      expect(reopened(world)).not.toContain("stale");
    });

    test("a record by somebody else is noticed, and nothing more is written", async () => {
      const journal = world.open();
      journal.append([note("a")], moment);
      await journal.durable();
      world.interfere();
      for (let again = 0; again < 2; again++)
        expect(() => journal.append([note("b")], moment)).toThrow(
          expect.objectContaining({ code: "LOG_FOREIGN" }),
        );
      await expect(journal.close()).rejects.toMatchObject({ code: "LOG_FOREIGN" });
      expect(reopened(world)).toEqual(["a", "foreign"]);
    });

    test("of two writers that start at the same moment, exactly one is let in, every time", async () => {
      for (let round = 0; round < 25; round++) {
        const opened = [0, 1].flatMap(() => {
          try {
            return [world.open()];
          } catch (error) {
            expect(error).toMatchObject({ code: "LOCK_HELD" });
            return [];
          }
        });
        expect(opened).toHaveLength(1);
        await opened[0]?.close();
      }
    });
  });
}

export const moment: Moment = { at: 1_700_000_000_000, time: 5 };

export function note(reason: string): Event {
  return { event: "state_recovery_needed", data: { reason } };
}

/** What the next writer finds; it crashes at once, leaving everything as it is. */
function reopened(world: JournalWorld): string[] {
  const journal = world.open();
  const reasons = journal.recorded.map(({ data }) => (data as { reason: string }).reason);
  world.crash(0);
  return reasons;
}

/** Long enough for everything that is not held. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await undefined;
}

function settledFlag(promise: Promise<void>): { settled: boolean; readonly promise: Promise<void> } {
  const flag = { settled: false, promise };
  promise.then(
    () => {
      flag.settled = true;
    },
    () => {
      flag.settled = true;
    },
  );
  return flag;
}
