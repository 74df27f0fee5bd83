/** What nobody whom a run starts may write to, but for what a turn or a verification is given inside it. */
import type { Hands } from "./hands.ts";

export function readOnlyPlaces({ repository, guarded = [] }: Hands): string[] {
  return [repository.root, ...repository.guarded, ...guarded];
}
