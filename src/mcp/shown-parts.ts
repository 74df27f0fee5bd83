/** Remembers which parts of documents an answer showed to the client, by address. */
import { readAddress } from "../document/address.ts";
import { findPart } from "../document/find-document.ts";
import type { LoadedReferences } from "../document/link/load-references.ts";
import type { ToolContext } from "./tool.ts";

type ShownContext = Pick<ToolContext, "store" | "seen">;

export function shownReferences(ports: ShownContext, { loaded }: LoadedReferences): void {
  for (const { document } of loaded) shownPart(ports, document);
}

/** A document, or a section or task in it. */
export function shownPart({ store, seen }: ShownContext, address: string): void {
  const read = readAddress(address);
  const document = "address" in read ? store.read(read.address.path).document : undefined;
  if (!document || !("address" in read)) return;
  const { slug } = read.address;
  const found = slug === undefined ? undefined : findPart(document, slug);
  if (!found) seen.shown(document, { start: 0, end: document.length });
  else if ("part" in found) seen.shown(document, found.part.whole);
}
