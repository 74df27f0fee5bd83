/**
 * Finds the document whose tasks are worked on; if it is missing, says what to do in the words of the caller's door.
 */

import type { DocumentPath } from "../../document/address.ts";
import type { Document } from "../../document/document.ts";
import { findDocument } from "../../document/find-document.ts";
import type { Library } from "../../document/store.ts";
import type { Problem } from "../../std/problem.ts";
import type { HowTo } from "../how-to.ts";

export function taskDocument(
  library: Library,
  path: DocumentPath,
  { whereMissing }: HowTo,
): { readonly document: Document } | { readonly problem: Problem } {
  const found = findDocument(library, path);
  if ("document" in found || found.problem.code !== "DOC_NOT_FOUND" || whereMissing === undefined)
    return found;
  return { problem: { ...found.problem, hint: `${whereMissing}.` } };
}
