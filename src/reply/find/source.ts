/** One reply while it is being read: its text and its blocks. */
import type { Fence } from "./fences.ts";
import type { JsonScanner } from "./scan.ts";

export interface Source {
  readonly text: string;
  readonly scanner: JsonScanner;
  readonly fences: readonly Fence[];
  /**
   * The tag that this turn's prompt asked for (`cox-3f9a2c`): a block with it takes precedence over everything else.
   */
  readonly tag?: string;
}
