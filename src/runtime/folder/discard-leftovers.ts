/**
 * Removes temporary files of a run's views and its snapshot that a killed process left half-written, before anything else
 * is done. Only the run's writer may call it, because only the writer creates these files.
 */
import { stagedName } from "../../durable/replace-file.ts";
import { fileNames } from "../../journal/file-names.ts";
import { isProgressPage, progressFolder } from "../../view/progress/progress-pages.ts";
import type { RunFolder } from "./run-folder.ts";
import { viewNames } from "./run-views.ts";

/** Returns one reason per file, for the log. */
export function discardLeftovers(folder: RunFolder): string[] {
  const names = [...viewNames, fileNames.snapshot].map(stagedName).filter((name) => folder.has(name));
  const pages = folder.names(progressFolder).filter(isHalfPage);
  const found = [...names, ...pages.map((name) => `${progressFolder}/${name}`)];
  for (const name of found) folder.remove(name);
  return found.map((name) => `temp_file_exists: ${name}`);
}

const end = stagedName("");

function isHalfPage(name: string): boolean {
  return name.endsWith(end) && isProgressPage(name.slice(0, -end.length));
}
