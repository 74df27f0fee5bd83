/** Turns a reply's bytes into the text and its blocks, ready to be searched. */
import type { Problem } from "../../std/problem.ts";
import { refuseManyPlaces } from "../refuse.ts";
import { decode } from "./decode.ts";
import { findFences } from "./fences.ts";
import { JsonScanner } from "./scan.ts";
import type { Source } from "./source.ts";

export type OpenReplyResult = { readonly source: Source } | { readonly problem: Problem };

export function openReply(reply: Uint8Array | string, tag?: string): OpenReplyResult {
  const decoded = decode(reply);
  if ("problem" in decoded) return decoded;
  const { text } = decoded;
  const scanner = new JsonScanner(text);
  const found = findFences(text, scanner, tag);
  if ("tooMany" in found) return { problem: refuseManyPlaces(found.tooMany) };
  return { source: { text, scanner, fences: found.fences, ...(tag !== undefined && { tag }) } };
}
