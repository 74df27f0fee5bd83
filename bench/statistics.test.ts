import { expect, test } from "vitest";
import { ratios, rotated, spread } from "./statistics.ts";

test.each([
  [[3], { median: 3, min: 3, max: 3 }],
  [[10, 9, 100], { median: 10, min: 9, max: 100 }],
  [[4, 1, 3, 2], { median: 2.5, min: 1, max: 4 }],
])("the spread of %j is by number, not by spelling", (values, expected) => {
  expect(spread(values)).toEqual(expected);
});

test("no values have no median", () => {
  expect(spread([]).median).toBeNaN();
});

test("a slow round does not move the ratio of both sides", () => {
  expect(ratios([2, 20, 2], [1, 10, 1])).toEqual([2, 2, 2]);
});

test("in as many rounds as there are contestants, each goes first once", () => {
  const orders = [0, 1, 2, 3].map((round) => rotated(["a", "b", "c"], round).join(""));
  expect(orders).toEqual(["abc", "bca", "cab", "abc"]);
  expect(rotated([], 5)).toEqual([]);
});
