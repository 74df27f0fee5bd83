/**
 * "Did you mean": finds the known name that is spelled almost like an unknown one. A comparison costs the product of
 * the lengths, so a document gets a fixed number of them; a plan full of mistakes gets fewer suggestions instead of a
 * delay.
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

/** With three letters, another spelling is usually another word. */
const slipFrom = 4;

/** One letter is wrong, missing or extra, or two neighbours are swapped: the known name was meant and mistyped. */
export function isOneSlip(name: string, known: string): boolean {
  if (name === known || Math.min(name.length, known.length) < slipFrom) return false;
  const off = distance(name, known);
  if (off !== 2 || name.length !== known.length) return off === 1;
  const at = [...name].findIndex((letter, index) => letter !== known[index]);
  return name[at] === known[at + 1] && name[at + 1] === known[at];
}
