import { expect, test } from "vitest";
import { nodeRunClock, type TimeSource } from "./node-run-clock.ts";

test("run time passes as the monotonic clock does, whatever the wall clock shows", () => {
  const world = timeByHand();
  const clock = nodeRunClock(world.source);
  world.wall = 1_000_000;
  world.pass(1500);
  world.wall = -5;
  expect(clock.elapsed()).toBe(1500);
  expect(clock.now()).toBe(-5);
});

test("an hour in which the process was stopped counts as one second of run time", () => {
  const world = timeByHand();
  const clock = nodeRunClock(world.source);
  world.pass(10_000);
  world.stopFor(3_600_000);
  world.pass(10_000);
  expect(clock.elapsed()).toBe(21_000);
});

test("a run clock that is not asked for a long time does not take that for a stop", () => {
  const world = timeByHand();
  const clock = nodeRunClock(world.source);
  world.pass(600_000);
  expect(clock.elapsed()).toBe(600_000);
});

test("a timer fires by run time: not during a stop, not right after it, and once", () => {
  const world = timeByHand();
  const clock = nodeRunClock(world.source);
  const calls: number[] = [];
  clock.after(30_000, () => calls.push(clock.elapsed()));
  world.pass(10_000);
  world.stopFor(3_600_000);
  world.pass(18_000);
  expect(calls).toEqual([]);
  world.pass(2000);
  expect(calls).toEqual([30_000]);
  world.pass(100_000);
  expect(calls).toEqual([30_000]);
});

test("a timer that was due during a stop fires only after the events that came meanwhile", () => {
  const world = timeByHand();
  const clock = nodeRunClock(world.source);
  const heard: string[] = [];
  clock.after(500, () => heard.push("late"));
  world.stopFor(3000);
  world.source.once(0, () => heard.push("said meanwhile"));
  world.pass(10);
  expect(heard).toEqual(["said meanwhile", "late"]);
});

test.each([0, 400, 2600])("a timer cancelled after %d ms never fires", (ms) => {
  const world = timeByHand();
  const clock = nodeRunClock(world.source);
  let calls = 0;
  const takeBack = clock.after(3000, () => calls++);
  world.pass(ms);
  takeBack();
  world.pass(10_000);
  expect(calls).toBe(0);
});

test("a timer on the real clock fires, and not before its time", async () => {
  const clock = nodeRunClock();
  const before = clock.elapsed();
  await new Promise<void>((resolve) => clock.after(30, resolve));
  expect(clock.elapsed() - before).toBeGreaterThanOrEqual(30);
});

/**
 * A time source that moves only when told to, in steps of a timer's length. A stop moves the clock without firing
 * timers.
 */
function timeByHand() {
  let at = 0;
  let timers: { due: number; call: () => void; every?: number }[] = [];
  const source: TimeSource = {
    monotonic: () => at,
    wall: () => world.wall,
    once(ms, call) {
      const timer = { due: at + ms, call };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    every: (ms, call) => void timers.push({ due: at + ms, call, every: ms }),
  };
  const world = {
    source,
    wall: 0,
    stopFor(ms: number) {
      at += ms;
    },
    pass(ms: number) {
      const end = at + ms;
      for (;;) {
        const [next] = timers.filter(({ due }) => due <= end).sort((one, other) => one.due - other.due);
        if (!next) break;
        at = Math.max(at, next.due);
        if (next.every) next.due = at + next.every;
        else timers = timers.filter((one) => one !== next);
        next.call();
      }
      at = end;
    },
  };
  return world;
}
