/** Reads a root and its changesets without taking a lock, recovering or writing anything. */
import type { Files } from "../world/files/files.ts";
import { Tree } from "../world/folders/tree.ts";
import { TreeDisk } from "../world/folders/tree-disk.ts";
import { ChangesetsFolder } from "./changesets-folder.ts";
import { type Clearable, type ClearRule, clearable } from "./clear.ts";
import { type ChangesetFigures, type ChangesetSummary, figures, history } from "./history.ts";
import { type ChangesetState, Ledger } from "./ledger.ts";

export class Peek {
  readonly disk: TreeDisk;
  readonly #changesetsFolder: ChangesetsFolder | undefined;
  readonly #changesets: ReadonlyMap<string, ChangesetState>;

  private constructor(private readonly tree: Tree) {
    this.disk = new TreeDisk(tree);
    this.#changesetsFolder = ChangesetsFolder.open(tree);
    this.#changesets = this.#changesetsFolder
      ? Ledger.peek(tree.files, this.#changesetsFolder.handle)
      : new Map();
  }

  static open(files: Files, root: string): Peek {
    const tree = Tree.open(files, root);
    try {
      return new Peek(tree);
    } catch (error) {
      tree.close();
      throw error;
    }
  }

  get root(): string {
    return this.tree.path;
  }

  history(): ChangesetSummary[] {
    return this.#changesetsFolder ? history(this.#changesetsFolder, this.#changesets) : [];
  }

  figures(): ChangesetFigures {
    return figures(this.#changesets);
  }

  /** Changesets that were begun and not ended: the next command that opens the root will end them. */
  unfinished(): string[] {
    return [...this.#changesets.values()].filter(isOpen).map(({ id }) => id);
  }

  /** Changes whenever a changeset begins or ends. */
  get stamp(): string {
    return [...this.#changesets.values()].map(({ id, state }) => `${id} ${state}`).join("\n");
  }

  /** Stages without a record in the ledger, left by a process that ended before the commit point. */
  strayStages(): string[] {
    return (this.#changesetsFolder?.stages() ?? []).filter((id) => !this.#changesets.has(id));
  }

  /** What `Changesets.clear` would remove. */
  clearable(rule: ClearRule): Clearable[] {
    return this.#changesetsFolder ? clearable(this.#changesetsFolder, this.#changesets, rule) : [];
  }

  close(): void {
    this.#changesetsFolder?.close();
    this.tree.close();
  }
}

function isOpen({ state }: ChangesetState): boolean {
  return state === "prepared" || state === "aborted";
}
