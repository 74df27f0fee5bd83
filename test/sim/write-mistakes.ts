/** The table of mistakes and the invariants that saw them, in `docs/how-we-test.md`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../crash/sow.ts";
import { Field } from "./field.ts";
import { mistakes } from "./mistakes.ts";
import type { Invariant } from "./violation.ts";

const beginMark = "<!-- mistakes in runs, made by: npm run sim:run -- --write -->";
const endMark = "<!-- end of mistakes in runs -->";

/** So many seeds show more than the one invariant that each mistake is named with. */
const seeds = 150;
/** A few are seen by their own invariant only later. */
const seedsMax = 1000;

export async function writeMistakes(say: (line: string) => void): Promise<void> {
  const rows: string[] = [];
  const field = new Field();
  try {
    for (const { name, edits, seenBy } of mistakes) {
      const { seen } = await field.hunt({ edits, seenBy: "none" as Invariant }, { count: seeds });
      const seed = seen[seenBy] ?? (await field.hunt({ edits, seenBy }, { count: seedsMax })).seen[seenBy];
      const others = Object.keys(seen).filter((invariant) => invariant !== seenBy);
      rows.push(`| ${name} | ${seenBy} | ${seed ?? ""} | ${others.sort().join(", ")} |`);
      say(rows.at(-1) ?? "");
    }
  } finally {
    field.remove();
  }
  const path = join(repository(), "docs/how-we-test.md");
  const page = readFileSync(path, "utf8");
  const before = page.slice(0, page.indexOf(beginMark) + beginMark.length);
  const head = "| sown mistake | seen by | with seed | and by |\n| --- | --- | ---: | --- |";
  writeFileSync(path, `${before}\n${head}\n${rows.join("\n")}\n${page.slice(page.indexOf(endMark))}`);
}

/** What the page says of each mistake: the invariant that it is seen by, and the first seed that showed it. */
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
