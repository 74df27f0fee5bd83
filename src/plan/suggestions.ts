/**
 * "Did you mean": the known name that is spelled almost like an unknown one. A comparison costs the product of the
 * lengths, so a document has a fixed number of them; a plan full of mistakes gets fewer suggestions, not a wait.
 */
import { distance } from "fastest-levenshtein";

export class Suggestions {
  private comparisonsLeft = 200_000;

  nearest(name: string, known: readonly string[]): string | undefined {
    if (name.length > 60 || known.length > this.comparisonsLeft) return undefined;
    this.comparisonsLeft -= known.length;
    const limit = Math.max(1, Math.floor(name.length / 3));
    let best: { name: string; difference: number } | undefined;
    for (const each of known) {
      if (Math.abs(each.length - name.length) > limit) continue;
      const difference = distance(name, each);
      if (difference <= limit && (!best || difference < best.difference)) best = { name: each, difference };
    }
    return best?.name;
  }
}

/** Three letters are another word as soon as they are another spelling. */
const slipFrom = 4;

/** One letter is wrong, missing or too many, or two neighbours have changed places: it was meant, and mistyped. */
export function isOneSlip(name: string, known: string): boolean {
  if (name === known || Math.min(name.length, known.length) < slipFrom) return false;
  const off = distance(name, known);
  if (off !== 2 || name.length !== known.length) return off === 1;
  const at = [...name].findIndex((letter, index) => letter !== known[index]);
  return name[at] === known[at + 1] && name[at + 1] === known[at];
}
