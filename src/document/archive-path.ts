/** The path of an archived document: below `/archived/`, with the time in its name, and never in use already. */
import { assert } from "../std/assert.ts";
import { utf8Length } from "../std/utf8.ts";
import { type DocumentPath, fileOf, readAddress } from "./address.ts";
import type { Library } from "./store.ts";

/** `at` is the time in ISO 8601. */
export function archivePath(
  library: Library,
  { path, at }: { path: DocumentPath; at: string },
): DocumentPath {
  const stamp = at.replace(/^(\d+-\d+-\d+)T(\d+):(\d+):(\d+).*$/, "$1-$2$3$4");
  const stem = shortened(fileOf(path).replace(/\.md$/, ""));
  for (let count = 1; ; count += 1) {
    const read = readAddress(`/archived/${stem}-${stamp}${count === 1 ? "" : `-${count}`}.md`);
    assert("address" in read, "what is made of a document's own path is one");
    const { document, problem } = library.read(read.address.path);
    if (!document && !problem) return read.address.path;
  }
}

/** Shortens the name so that it is still valid with the time appended. */
function shortened(stem: string): string {
  const slash = stem.lastIndexOf("/") + 1;
  let name = stem.slice(slash);
  let folder = stem.slice(0, slash);
  while (utf8Length(name) > nameBytesMax) name = [...name].slice(0, -1).join("");
  // Drop whole folders from the front; the rest is what distinguishes it from others.
  while (utf8Length(folder) > folderBytesMax || folder.split("/").length > foldersMax) {
    folder = folder.replace(/^(docs\/|)[^/]+\//, "$1");
  }
  return folder + name.replace(/[. ]+$/, "");
}

const nameBytesMax = 200;
const folderBytesMax = 700;
const foldersMax = 60;
