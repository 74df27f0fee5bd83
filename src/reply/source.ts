/** One reply while it is being read: its text, and the blocks in it. */
import type { Problem } from "../std/problem.ts";
import { decode } from "./decode.ts";
import { type Fence, findFences } from "./fences.ts";
import { refuseManyPlaces } from "./refuse.ts";
import { JsonScanner } from "./scan.ts";

export interface Source {
  readonly text: string;
  readonly scanner: JsonScanner;
  readonly fences: readonly Fence[];
  /** The tag that this turn's prompt asked for (`cox-3f9a2c`): a block with it wins over everything else. */
  readonly tag?: string;
}

export type Opened = { readonly source: Source } | { readonly problem: Problem };

export function openSource(reply: Uint8Array | string, tag?: string): Opened {
  const decoded = decode(reply);
  if ("problem" in decoded) return decoded;
  const { text } = decoded;
  const scanner = new JsonScanner(text);
  const found = findFences(text, scanner, tag);
  if ("tooMany" in found) return { problem: refuseManyPlaces(found.tooMany) };
  return { source: { text, scanner, fences: found.fences, ...(tag !== undefined && { tag }) } };
}
