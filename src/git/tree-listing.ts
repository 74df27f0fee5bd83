/** All files of a tree, by their exact paths. */
import { folderNames } from "../change/policy/folder-names.ts";
import type { TreeId } from "../std/object-id.ts";
import { type BytePath, bytePath, rawBytePath, textOfBytePath } from "../world/files/byte-path.ts";
import type { GitCommand } from "./command/git-command.ts";
import { RememberedAnswers } from "./remembered.ts";
import type { TreeEntryDifference } from "./tree-changes.ts";

export interface TreeListing {
  readonly entries: ReadonlyMap<BytePath, ListedEntry>;
  /** Every folder that holds one of these files. */
  readonly folders: ReadonlySet<BytePath>;
  /** Names in a folder ("" is the root), as text; paths that are not text are left out. */
  names(folder: string): readonly string[];
}

export interface ListedEntry {
  /** As git writes it: 100644, 100755, 120000 (a link), 160000 (a submodule). */
  readonly mode: string;
  readonly oid: string;
}

/** Trees never change, so the last few are remembered: a desk's tree is needed at each turn. */
const rememberedMax = 8;

export class TreeListings {
  readonly #known = new RememberedAnswers<TreeListing>(rememberedMax);

  constructor(
    private readonly git: GitCommand,
    first: { readonly tree: TreeId; readonly listing: TreeListing },
  ) {
    this.#known.keep(first.tree, Promise.resolve(first.listing));
  }

  /** Costs one git process, or none. */
  of(tree: TreeId): Promise<TreeListing> {
    return this.#known.find(tree) ?? this.#known.keep(tree, this.#read(tree));
  }

  /** Costs no git process: a tree that was just made differs little from one that is known. */
  async derive(tree: TreeId, { from, differences }: Derivation): Promise<void> {
    const before = await this.#known.find(from);
    if (before && !this.#known.find(tree))
      this.#known.keep(tree, Promise.resolve(changed(before, differences)));
  }

  async #read(tree: TreeId): Promise<TreeListing> {
    const { stdout } = await this.git.own(["ls-tree", "-r", "-z", "--full-tree", tree]);
    return parseListing(stdout);
  }
}

interface Derivation {
  readonly from: TreeId;
  readonly differences: readonly TreeEntryDifference[];
}

function changed({ entries }: TreeListing, differences: readonly TreeEntryDifference[]): TreeListing {
  const after = new Map(entries);
  for (const { path, post } of differences) {
    if (post) after.set(bytePath(path), post);
    else after.delete(bytePath(path));
  }
  return listingOf(after);
}

/** `MODE SP TYPE SP OID TAB PATH NUL`, for each. */
export function parseListing(stdout: Uint8Array): TreeListing {
  const entries = new Map<BytePath, ListedEntry>();
  for (const row of Buffer.from(stdout).toString("latin1").split("\0")) {
    if (row === "") continue;
    const tab = row.indexOf("\t");
    const [mode = "", , oid = ""] = row.slice(0, tab).split(" ");
    const path = rawBytePath(row.slice(tab + 1));
    entries.set(path, { mode, oid });
  }
  return listingOf(entries);
}

function listingOf(entries: ReadonlyMap<BytePath, ListedEntry>): TreeListing {
  const folders = new Set<BytePath>();
  for (const path of entries.keys()) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = rawBytePath(path.slice(0, at));
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  let names: ((folder: string) => readonly string[]) | undefined;
  return {
    entries,
    folders,
    names(folder) {
      names ??= folderNames([...entries.keys()].flatMap((path) => textOfBytePath(path) ?? []));
      return names(folder);
    },
  };
}
