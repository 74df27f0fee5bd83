/**
 * The documents of a repository at one moment. Each is read only once, so everything derived from them is consistent.
 * Read-only: nothing is created on disk.
 */

import type { DocumentPath } from "../document/address.ts";
import type { DocumentEntry, Library, ReadDocument } from "../document/store.ts";
import type { Files } from "../world/files/files.ts";
import { Tree } from "../world/folders/tree.ts";
import { Shelf } from "./shelf.ts";

export function withDocumentsNow<T>(
  { files, root }: { readonly files: Files; readonly root: string },
  look: (library: Library) => T,
): T {
  const tree = Tree.open(files, root);
  try {
    return look(new DocumentsNow(tree));
  } finally {
    tree.close();
  }
}

class DocumentsNow implements Library {
  readonly #shelf: Shelf;
  readonly #read = new Map<DocumentPath, ReadDocument>();
  #list: readonly DocumentEntry[] | undefined;

  constructor(tree: Tree) {
    // The clock only decides when a file may be reused without reading it again; that never happens here.
    this.#shelf = new Shelf(tree, { now: () => 0 });
  }

  read(path: DocumentPath): ReadDocument {
    const found = this.#read.get(path) ?? this.#shelf.read(path);
    this.#read.set(path, found);
    return found;
  }

  list(): readonly DocumentEntry[] {
    this.#list ??= this.#shelf.list();
    return this.#list;
  }

  archive(): readonly DocumentEntry[] {
    return this.#shelf.archive();
  }
}
