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
