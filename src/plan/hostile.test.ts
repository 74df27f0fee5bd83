import { expect, test } from "vitest";
import { parsePlan } from "./read/parse.ts";

const length = 200_000;
const task = "## Tasks\n### One\n";

/** Each of these took quadratic time in some draft, or would in a careless one. */
test.each<[string, string]>([
  ["blanks inside a value", `${task}- Agent: a${" ".repeat(length)}b`],
  ["comments that are never closed", `${task}- Agent: ${"x <!-- ".repeat(length / 7)}`],
  ["lines that open comments", "a <!--\n".repeat(length / 7)],
  ["underlines below fields", `${task}Agent: a\n${"===\n".repeat(length / 4)}`],
  [
    "runs of backticks of all lengths",
    Array.from({ length: 600 }, (_, at) => `${"`".repeat(at + 1)} @/a `).join(""),
  ],
  ["a reference with a tail of full stops", `@/${".".repeat(length)}x`],
  ["brackets in a title", `## Tasks\n- [ ] ${"[".repeat(length)}`],
  ["rows that might be tables", "a|b\n".repeat(length / 4)],
  ["a field with very many parts", `${task}- Writes: ${"a,".repeat(length / 2)}**`],
  ["very many headings with a meaning", "## Tasks\n".repeat(length / 9)],
])("%s: the plan is read quickly", (_what, text) => {
  const started = performance.now();
  parsePlan(text);
  // Linear ones take about 50 ms; a quadratic one takes a minute.
  expect(performance.now() - started).toBeLessThan(10_000);
});
