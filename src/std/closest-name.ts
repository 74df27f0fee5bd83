/** "Did you mean": picks the name that somebody probably meant by another one. */
import { distance } from "fastest-levenshtein";

/** The nearest name, ignoring case, if at most a third of it (or two letters) is wrong and some of it is right. */
export function closestName(wanted: string, names: readonly string[]): string | undefined {
  if (wanted.length > wantedMax) return undefined;
  const folded = fold(wanted);
  let best: { name: string; wrong: number } | undefined;
  for (const name of names.slice(0, namesMax)) {
    const wrong = distance(folded, fold(name));
    if (!best || wrong < best.wrong) best = { name, wrong };
  }
  if (!best) return undefined;
  const { name, wrong } = best;
  const isClose =
    wrong <= Math.max(2, Math.floor(name.length / 3)) && wrong < Math.max(wanted.length, name.length);
  return isClose ? name : undefined;
}

/** A comparison costs the product of the lengths. Enough for any file name, and for any folder that people browse. */
const wantedMax = 255;
const namesMax = 2_000;

function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
