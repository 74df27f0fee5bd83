/** The beginning of a document's hash: enough to tell versions apart, for a quarter of the tokens. */
import type { Document } from "../document/document.ts";

export function shortHash({ hash }: Document): string {
  return hash.slice(0, 16);
}
