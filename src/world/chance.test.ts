import { expect, test } from "vitest";
import { nodeChance } from "./chance.ts";

test("an id has the length that was asked for, of 32 letters that cannot be mistaken for each other", () => {
  const chance = nodeChance();
  expect(chance.id(0)).toBe("");
  expect(chance.id(10)).toMatch(/^[0-9a-hjkmnp-tv-z]{10}$/);
  expect(new Set(chance.id(5000)).size).toBe(32);
});

test("no two ids are the same", () => {
  const chance = nodeChance();
  expect(new Set(Array.from({ length: 10_000 }, () => chance.id(16))).size).toBe(10_000);
});
