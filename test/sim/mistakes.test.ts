import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repository } from "../crash/sow.ts";
import { Field } from "./field.ts";
import { mistakes } from "./mistakes.ts";
import { invariants } from "./violation.ts";
import { findMistake, readMistakes } from "./write-mistakes.ts";

let field: Field;
beforeAll(() => {
  field = new Field();
});
afterAll(() => field.remove());

const shown = readMistakes(readFileSync(join(repository(), "docs/how-we-test.md"), "utf8"));

/**
 * The seed recorded on the page usually still finds the mistake. If the simulation has changed since, another seed
 * does.
 */
test.each(mistakes)("the mistake '$name' is caught by the invariant '$seenBy'", async (mistake) => {
  expect(await findMistake(field, mistake, shown.get(mistake.name)?.seed)).toBeDefined();
});

test("a commit without evidence would be refused by the kernel too", async () => {
  const mistake = mistakes.find(({ name }) => name.includes("only the last check notices"));
  expect(mistake).toBeDefined();
  if (mistake) expect((await field.hunt(mistake, { count: 1000 })).reached).toContain("refusal no-evidence");
});

test("at least 25 mistakes are sown, and every invariant sees one", () => {
  expect(mistakes.length).toBeGreaterThanOrEqual(25);
  expect(new Set(mistakes.map(({ seenBy }) => seenBy))).toEqual(new Set(Object.keys(invariants)));
});

test("docs/how-we-test.md shows the mistakes sown in the simulation, each with the invariant that catches it", () => {
  const rows = [...shown].map(([name, { seenBy }]) => [name, seenBy]);
  expect(rows).toEqual(mistakes.map(({ name, seenBy }) => [name, seenBy]));
});
