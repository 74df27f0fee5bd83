/** The path that was probably meant: what stands on the disk and is spelled almost like it. */
import { closestName } from "../std/closest-name.ts";
import type { Disk } from "./disk.ts";

/** The path with its first component that is not there put right, when one of its neighbours is close to it. */
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
