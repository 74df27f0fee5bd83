import { expect, test } from "vitest";
import { nodeClock } from "./clock.ts";

test("what has gone by never goes back, and the wall is in this century", () => {
  const clock = nodeClock();
  const times = Array.from({ length: 1000 }, () => clock.monotonicMs());
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(new Date(clock.now()).getUTCFullYear()).toBeGreaterThan(2000);
});
