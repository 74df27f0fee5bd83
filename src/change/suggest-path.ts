/** Suggests the path that was probably meant: an existing one that is spelled almost the same. */
import { closestName } from "../std/closest-name.ts";
import type { Disk } from "./disk.ts";

/** Corrects the first component that does not exist, if a sibling's name is close to it. */
export function suggestPath(path: string, disk: Disk): string | undefined {
  const components = path.split("/");
  for (const [at, component] of components.entries()) {
    const names = disk.names(components.slice(0, at).join("/"));
    if (names.includes(component)) continue;
    const close = closestName(component, names);
    return close === undefined ? undefined : components.with(at, close).join("/");
  }
  return undefined;
}
