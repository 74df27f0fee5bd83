/** Writes the table of mistakes and the invariants that caught them, in `docs/how-we-test.md`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../crash/sow.ts";
import { Field } from "./field.ts";
import { type Mistake, mistakes } from "./mistakes.ts";

const beginMark = "<!-- mistakes in runs, made by: npm run sim:run -- --write -->";
const endMark = "<!-- end of mistakes in runs -->";

/** Most mistakes are caught by one of the first seeds; a few need more. */
const seedsMax = 1000;

/** A seed that still catches its mistake stays on the page; for the others, a new one is searched for. */
export async function writeMistakes(say: (line: string) => void): Promise<void> {
  const path = join(repository(), "docs/how-we-test.md");
  const shown = readMistakes(readFileSync(path, "utf8"));
  const rows: string[] = [];
  const field = new Field();
  try {
    for (const mistake of mistakes) {
      const seed = await findMistake(field, mistake, shown.get(mistake.name)?.seed);
      rows.push(`| ${mistake.name} | ${mistake.seenBy} | ${seed ?? ""} |`);
      say(rows.at(-1) ?? "");
    }
  } finally {
    field.remove();
  }
  const page = readFileSync(path, "utf8");
  const before = page.slice(0, page.indexOf(beginMark) + beginMark.length);
  const head = "| sown mistake | seen by | with seed |\n| --- | --- | ---: |";
  writeFileSync(path, `${before}\n${head}\n${rows.join("\n")}\n${page.slice(page.indexOf(endMark))}`);
}

/**
 * The seed with which its invariant catches it: the given one if it does, else the first one that does. `undefined` if
 * none does.
 */
export async function findMistake(field: Field, mistake: Mistake, likely = 1): Promise<number | undefined> {
  const { seen } = await field.hunt(mistake, { from: likely, count: 1 });
  return seen[mistake.seenBy] ?? (await field.hunt(mistake, { count: seedsMax })).seen[mistake.seenBy];
}

/** What the page says about each mistake: the invariant that caught it, and the seed. */
export function readMistakes(page: string): Map<string, { seenBy: string; seed: number }> {
  const text = page.slice(page.indexOf(beginMark) + beginMark.length, page.indexOf(endMark));
  const rows = text.trim().split("\n").slice(2);
  return new Map(
    rows.map((row) => {
      const [, name = "", seenBy = "", seed = ""] = row.split("|").map((cell) => cell.trim());
      return [name, { seenBy, seed: Number(seed) || 1 }];
    }),
  );
}
