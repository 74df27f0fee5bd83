/**
 * Places that no process of a run may write to, except the folders inside them that a turn or a verification is given.
 */
import type { Ports } from "../loop/ports.ts";

export function readOnlyPlaces({ repository, guarded = [] }: Ports): string[] {
  return [repository.root, ...repository.guarded, ...guarded];
}
