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

export async function writeMistakes(say: (line: string) => void): Promise<void> {
  const rows: string[] = [];
  const field = new Field();
  try {
    for (const { name, edits, seenBy } of mistakes) {
      const { seen } = await field.hunt({ edits, seenBy: "none" as Invariant }, seeds);
      const others = Object.keys(seen).filter((invariant) => invariant !== seenBy);
      rows.push(`| ${name} | ${seenBy} | ${others.sort().join(", ")} |`);
      say(rows.at(-1) ?? "");
    }
  } finally {
    field.remove();
  }
  const path = join(repository(), "docs/how-we-test.md");
  const page = readFileSync(path, "utf8");
  const before = page.slice(0, page.indexOf(beginMark) + beginMark.length);
  const head = "| sown mistake | seen by | and by |\n| --- | --- | --- |";
  writeFileSync(path, `${before}\n${head}\n${rows.join("\n")}\n${page.slice(page.indexOf(endMark))}`);
}

/** What the page says of each mistake: the invariant that it is seen by. */
export function readMistakes(page: string): Map<string, string> {
  const text = page.slice(page.indexOf(beginMark) + beginMark.length, page.indexOf(endMark));
  const rows = text.trim().split("\n").slice(2);
  return new Map(
    rows.map((row) => {
      const [, name = "", seenBy = ""] = row.split("|").map((cell) => cell.trim());
      return [name, seenBy];
    }),
  );
}
