import { expect, test } from "vitest";
import { nodeChance } from "./chance.ts";

test("random ids have the length asked for, are easy to read aloud, and differ", () => {
  const ids = Array.from({ length: 1000 }, () => nodeChance.id(8));
  for (const id of ids) expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]{8}$/);
  expect(new Set(ids).size).toBe(1000);
});
