/**
 * The documents of a repository as they are at one moment: each is read once, so that everything that is made from them
 * agrees, however often it asks. Only looks; nothing is made on disk.
 */

import type { DocumentPath } from "../document/address.ts";
import type { DocumentEntry, Library, ReadDocument } from "../document/store.ts";
import type { Files } from "../world/files.ts";
import { Tree } from "../world/tree.ts";
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
    // Its clock says when a file can be believed without being read again, which nobody asks here.
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
