/**
 * What the document tools may write: documents in `docs/`, and sections of the coordinator's list, up to a size limit.
 */

import { fileBytesMax } from "../change/limits.ts";
import { counted, grouped } from "../std/counted.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { activeList, type DocumentPath, isOutside } from "./address.ts";
import type { Document } from "./document.ts";

/** Undefined if its sections may be edited. */
export function whyNotEditable(path: DocumentPath): Problem | undefined {
  return path === activeList ? undefined : whyNotWritable(path);
}

/** Undefined if it may be created, moved or deleted. */
export function whyNotWritable(path: DocumentPath): Problem | undefined {
  if (!isOutside(path)) return undefined;
  const isArchived = path.startsWith("/archived/");
  return {
    code: isArchived ? "DOC_ARCHIVED" : "DOC_COORDINATOR",
    path,
    message: isArchived
      ? `${quote(path, 200)} is an archive, which stays as it is`
      : `${quote(path, 200)} is not one of the documents: /coordinator/ has the coordinator's list and nothing else`,
    hint: isArchived
      ? "Read it with view_document and make a new one with create_document."
      : 'Use coordinator_task for the tasks of the list ("clear" archives it), section to edit its text.',
  };
}

/** Undefined if it is small enough to be written and read again. */
export function whyTooLarge({ path, size }: Document): Problem | undefined {
  if (size <= fileBytesMax) return undefined;
  return {
    code: "LIMIT_DOCUMENT",
    path,
    message: `${quote(path, 200)} would have ${counted(size, "byte")}, the limit is ${grouped(fileBytesMax)}`,
    hint: "Split it into several documents, and refer from one to the others: @/path.md",
  };
}
