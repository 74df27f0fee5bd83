/** The name that was probably meant: what stands on the disk and is spelled almost like it. */
import { distance } from "fastest-levenshtein";
import type { Disk } from "./disk.ts";
import { foldPath } from "./path.ts";

/** The path with its first component that is not there put right, when one of its neighbours is close to it. */
export function suggest(path: string, disk: Disk): string | undefined {
  const components = path.split("/");
  for (const [at, component] of components.entries()) {
    const names = disk.names(components.slice(0, at).join("/"));
    if (names.includes(component)) continue;
    const close = closest(component, names);
    return close === undefined ? undefined : components.with(at, close).join("/");
  }
  return undefined;
}

/** Enough for any folder that people look into; a comparison costs the product of the lengths. */
const namesMax = 2_000;

function closest(wanted: string, names: readonly string[]): string | undefined {
  const folded = foldPath(wanted);
  let best: { name: string; difference: number } | undefined;
  for (const name of names.slice(0, namesMax)) {
    const difference = distance(folded, foldPath(name));
    if (!best || difference < best.difference) best = { name, difference };
  }
  return best && best.difference <= Math.max(2, wanted.length * 0.3) ? best.name : undefined;
}
