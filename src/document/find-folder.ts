/** Explains that a folder of documents does not exist, and suggests what was probably meant. */
import { closestName } from "../std/closest-name.ts";
import { oneLine, quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";

/** `folder` starts and ends with `/`. Undefined if a document lies below it, and for the root, which always exists. */
export function whyNoFolder(paths: readonly string[], folder: string): Problem | undefined {
  if (folder === "/" || paths.some((path) => path.startsWith(folder))) return undefined;
  const named = folder.slice(0, -1);
  const isDocument = paths.includes(named);
  const near = closestName(folder, foldersOf(paths));
  const hint = isDocument
    ? `Read it with view_document ${oneLine(named, 200)}, or name the folder that it lies in.`
    : near !== undefined
      ? `Did you mean ${oneLine(near, 200)}? browse_documents without a folder shows all.`
      : "browse_documents without a folder shows what is there.";
  return {
    code: "FOLDER_NOT_FOUND",
    path: oneLine(folder, 200),
    message: isDocument
      ? `${quote(named, 200)} is a document, not a folder`
      : `there is no folder ${quote(folder, 200)} with documents`,
    hint,
    field: "folder",
  };
}

function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = path.slice(0, slash + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders];
}
