/**
 * Three-way merge of whole files: what one side changed is taken, what both changed alike too, all else conflicts.
 *
 * Coarser than git, which merges lines: whoever copes with these conflicts copes with git's.
 */
import { concatBytes } from "../std/bytes.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import { type MemoryFile, type MemoryFiles, sameFile } from "./memory-objects.ts";

export interface MergedFiles {
  readonly files: MemoryFiles;
  readonly conflicts: readonly string[];
}

export function mergeFiles(sides: {
  readonly base: MemoryFiles;
  readonly ours: MemoryFiles;
  readonly theirs: MemoryFiles;
}): MergedFiles {
  const { base, ours, theirs } = sides;
  const files = new Map<string, MemoryFile>();
  const conflicts: string[] = [];
  for (const path of [...new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])].sort()) {
    const [before, our, their] = [base.get(path), ours.get(path), theirs.get(path)];
    const isConflict = !sameFile(our, their) && !sameFile(before, our) && !sameFile(before, their);
    const merged = isConflict ? marked(our, their) : sameFile(before, our) ? their : our;
    if (isConflict) conflicts.push(path);
    if (merged) files.set(path, merged);
  }
  for (const path of [...files.keys()]) {
    const above = foldersAbove(path).find((folder) => files.has(folder));
    if (above === undefined) continue;
    // A file on one side and a folder on the other: the folder stays.
    files.delete(above);
    if (!conflicts.includes(above)) conflicts.push(above);
  }
  return { files, conflicts };
}

/** One side removed the file and the other changed it: what is left is the change. */
function marked(our: MemoryFile | undefined, their: MemoryFile | undefined): MemoryFile | undefined {
  if (!our || !their) return our ?? their;
  const bytes = concatBytes([
    encodeUtf8("<<<<<<< ours\n"),
    our.bytes,
    encodeUtf8("=======\n"),
    their.bytes,
    encodeUtf8(">>>>>>> theirs\n"),
  ]);
  return { bytes, mode: our.mode };
}

function foldersAbove(path: string): string[] {
  const components = path.split("/");
  return components.slice(1).map((_, at) => components.slice(0, at + 1).join("/"));
}
