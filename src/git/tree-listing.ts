/** All files of a tree, by their exact paths. */
import type { BytePath } from "../world/byte-path.ts";
import type { GitCommand } from "./git-command.ts";
import type { TreeId } from "./repository.ts";

export interface TreeListing {
  readonly entries: ReadonlyMap<BytePath, ListedEntry>;
  /** Every folder that holds one of them. */
  readonly folders: ReadonlySet<BytePath>;
}

export interface ListedEntry {
  /** As git writes it: 100644, 100755, 120000 (a link), 160000 (a submodule). */
  readonly mode: string;
  readonly oid: string;
}

/** Trees never change: the last few are remembered, since a desk's is asked for at each turn. */
const rememberedMax = 8;

export class TreeListings {
  readonly #known = new Map<TreeId, TreeListing>();

  constructor(private readonly git: GitCommand) {}

  /** One process, or none. */
  async of(tree: TreeId): Promise<TreeListing> {
    const known = this.#known.get(tree);
    if (known) return known;
    const { stdout } = await this.git.own(["ls-tree", "-r", "-z", "--full-tree", tree]);
    const listing = parseListing(stdout);
    if (this.#known.size >= rememberedMax) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest);
        break;
      }
    }
    this.#known.set(tree, listing);
    return listing;
  }
}

/** `MODE SP TYPE SP OID TAB PATH NUL`, for each. */
export function parseListing(stdout: Uint8Array): TreeListing {
  const entries = new Map<BytePath, ListedEntry>();
  const folders = new Set<BytePath>();
  for (const row of Buffer.from(stdout).toString("latin1").split("\0")) {
    if (row === "") continue;
    const tab = row.indexOf("\t");
    const [mode = "", , oid = ""] = row.slice(0, tab).split(" ");
    const path = row.slice(tab + 1) as BytePath;
    entries.set(path, { mode, oid });
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at) as BytePath;
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return { entries, folders };
}
