/** Which documents the tools for documents may change: those of `docs/`, and the sections of the coordinator's list. */

import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { activeList, type DocumentPath, isOutside } from "./address.ts";

/** Nothing where a section of it may be edited. */
export function whyNotEditable(path: DocumentPath): Problem | undefined {
  return path === activeList ? undefined : whyNotWritable(path);
}

/** Nothing where it may be made, moved or deleted. */
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
