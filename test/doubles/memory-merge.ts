/**
 * Three-way merge of whole files: takes what only one side changed or both changed alike; everything else conflicts.
 *
 * It is coarser than git, which merges lines: code that handles these conflicts handles git's.
 */
import { folderNames } from "../../src/change/policy/folder-names.ts";
import { mergedTwins } from "../../src/git/merged-twins.ts";
import { concatBytes } from "../../src/std/bytes.ts";
import { encodeUtf8 } from "../../src/std/utf8.ts";
import { type MemoryBlob, type MemoryFiles, sameFile } from "./memory-objects.ts";

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
  const files = new Map<string, MemoryBlob>();
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
  const twins = mergedTwins({
    base: new Set(base.keys()),
    theirs: new Set(theirs.keys()),
    ours: folderNames(ours.keys()),
  });
  return { files, conflicts: [...new Set([...conflicts, ...twins])] };
}

/** If one side removed the file and the other changed it, the changed file stays. */
function marked(our: MemoryBlob | undefined, their: MemoryBlob | undefined): MemoryBlob | undefined {
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
