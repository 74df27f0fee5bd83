/** Remembers for a client what an answer showed it of documents, by address. */
import { readAddress } from "../document/address.ts";
import { findPart } from "../document/find-document.ts";
import type { LoadedReferences } from "../document/load-references.ts";
import type { ToolContext } from "./tool.ts";

type Means = Pick<ToolContext, "store" | "seen">;

export function shownReferences(means: Means, { loaded }: LoadedReferences): void {
  for (const { document } of loaded) shownPart(means, document);
}

/** A document, or a section or task of one. */
export function shownPart({ store, seen }: Means, address: string): void {
  const read = readAddress(address);
  const document = "address" in read ? store.read(read.address.path).document : undefined;
  if (!document || !("address" in read)) return;
  const { slug } = read.address;
  const found = slug === undefined ? undefined : findPart(document, slug);
  if (!found) seen.shown(document, { start: 0, end: document.length });
  else if ("part" in found) seen.shown(document, found.part.whole);
}
