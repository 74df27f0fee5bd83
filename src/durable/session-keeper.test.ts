import { expect, test } from "vitest";
import { pause } from "../world/time/pause.ts";
import { SessionKeeper } from "./session-keeper.ts";

function keeperWithNotes(isAwaited = true): { keeper: SessionKeeper<number>; notes: string[] } {
  const notes: string[] = [];
  let turns = 0;
  const keeper = new SessionKeeper<number>({
    take: async () => {
      turns += 1;
      notes.push(`take ${turns}`);
      return turns;
    },
    isAwaited: () => isAwaited,
    giveBack: async (turn, isSpoilt) => void notes.push(`${isSpoilt ? "drop" : "give back"} ${turn}`),
  });
  return { keeper, notes };
}

test("work that comes at once is done in one write session, in order", async () => {
  const { keeper, notes } = keeperWithNotes();
  const work = ["a", "b", "c"].map((piece) => keeper.use(async () => void notes.push(piece)));
  await Promise.all(work);
  await keeper.close();
  expect(notes).toEqual(["take 1", "a", "b", "c", "give back 1"]);
});

test("a write session that no other process waits for is kept through pauses and long work", async () => {
  const { keeper, notes } = keeperWithNotes(false);
  await keeper.use(() => pause(60));
  await pause(30);
  expect(keeper.isAtHand).toBe(true);
  await keeper.use(async () => undefined);
  await keeper.close();
  expect(notes).toEqual(["take 1", "give back 1"]);
});

test("a write session that another process waits for is given back after a pause, and later work takes a new one", async () => {
  const { keeper, notes } = keeperWithNotes();
  expect(keeper.isAtHand).toBe(false);
  await keeper.use(async () => undefined);
  expect(keeper.isAtHand).toBe(true);
  while (notes.length < 2) await pause(5);
  expect(keeper.isAtHand).toBe(false);
  await keeper.use(async () => undefined);
  await keeper.close();
  expect(notes).toEqual(["take 1", "give back 1", "take 2", "give back 2"]);
});

test("a write session with long work that another process waits for is given back before the next piece", async () => {
  const { keeper, notes } = keeperWithNotes();
  const slow = keeper.use(() => pause(60));
  const next = keeper.use(async () => void notes.push("next"));
  await Promise.all([slow, next]);
  await keeper.close();
  expect(notes).toEqual(["take 1", "give back 1", "take 2", "next", "give back 2"]);
});

test("work that throws fails its own write session and no other", async () => {
  const { keeper, notes } = keeperWithNotes();
  const failing = keeper.use(async () => {
    throw new Error("it failed");
  });
  const next = keeper.use(async (turn) => turn);
  await expect(failing).rejects.toThrow("it failed");
  expect(await next).toBe(2);
  await keeper.close();
  expect(notes).toEqual(["take 1", "drop 1", "take 2", "give back 2"]);
});
