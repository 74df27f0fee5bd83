/**
 * Every claim about speed in the README names the rows of the benchmarks page that show it, and each of them is met
 * there.
 */
import type { Finding, TextFile } from "./rule.ts";

const page = "docs/benchmarks.md";
const speed =
  /\b(?:faster|slower|quick(?:er|ly)?|times as (?:fast|many|long|much)|a second\b(?! \w)|per second|overhead|costs? little|of the time|\d+ ms\b)/i;

export function claimsOnlyMetAims(files: readonly TextFile[]): Finding[] {
  const text = (path: string) => files.find((file) => file.path === path)?.text ?? "";
  const verdicts = verdictsIn(text(page));
  return text("README.md")
    .split(/\n{2,}/)
    .flatMap((paragraph) => {
      const named = /<!-- benchmarks: (.*?) -->/s.exec(paragraph)?.[1];
      if (named === undefined) {
        const word = speed.exec(paragraph)?.[0];
        return word ? [`README.md says "${word}" and names no row of ${page} that shows it`] : [];
      }
      return named.split("; ").flatMap((row) => {
        const verdict = verdicts.get(row);
        if (verdict === "met") return [];
        return [`README.md claims "${row}", which ${page} ${verdict ? "marks as missed" : "does not have"}`];
      });
    });
}

/** Keyed by section and first cell: `small-files: write-file-atomic / executor`. */
function verdictsIn(text: string): ReadonlyMap<string, string> {
  const verdicts = new Map<string, string>();
  let section = "";
  for (const line of text.split("\n")) {
    section = /^## (.*)$/.exec(line)?.[1] ?? section;
    const [, name, verdict] = /^\| ([^|]+) \|.*\| (met|missed) \|$/.exec(line) ?? [];
    if (name !== undefined && verdict !== undefined) verdicts.set(`${section}: ${name}`, verdict);
  }
  return verdicts;
}
