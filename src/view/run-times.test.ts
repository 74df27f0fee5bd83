import { expect, test } from "vitest";
import { RunTimes } from "./run-times.ts";

test("the wall-clock time of an event is the one of its day, before and after a pause of a day", () => {
  const times = new RunTimes();
  const day = 86_400_000;
  for (const time of [0, 1000, 2000]) times.add({ at: 5000 + time, time });
  for (const time of [2000, 3000]) times.add({ at: 5000 + day + time, time });
  const now = { at: 5000 + day + 9000, time: 9000 };
  expect([0, 1500, 2500, 9000].map((time) => times.wallTime(time, now))).toEqual([
    5000,
    6500,
    day + 7500,
    day + 14_000,
  ]);
});

test("without a log, wall-clock times are counted back from now", () => {
  expect(new RunTimes().wallTime(400, { at: 10_000, time: 1000 })).toBe(9400);
});
