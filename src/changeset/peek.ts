/** A look at a root and its changesets that takes no lock, recovers nothing and writes nothing. */
import type { Files } from "../world/files.ts";
import { Tree } from "../world/tree.ts";
import { TreeDisk } from "../world/tree-disk.ts";
import { type Clearable, type ClearRule, clearable } from "./clear.ts";
import { type ChangesetSummary, type Figures, figures, history } from "./history.ts";
import { Ledger, type Standing } from "./ledger.ts";
import { Room } from "./room.ts";

export class Peek {
  readonly disk: TreeDisk;
  readonly #room: Room | undefined;
  readonly #standings: ReadonlyMap<string, Standing>;

  private constructor(private readonly tree: Tree) {
    this.disk = new TreeDisk(tree);
    this.#room = Room.open(tree);
    this.#standings = this.#room ? Ledger.peek(tree.files, this.#room.folder) : new Map();
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
    return this.tree.files.pathOf(this.tree.root);
  }

  history(): ChangesetSummary[] {
    return this.#room ? history(this.#room, this.#standings) : [];
  }

  figures(): Figures {
    return figures(this.#standings);
  }

  /** Changesets that a process began and no process has ended: the next command that opens the root will. */
  unfinished(): string[] {
    return [...this.#standings.values()].filter(isOpen).map(({ id }) => id);
  }

  /** Stages that no record speaks of: left by a process that was ended before the commit point. */
  strayStages(): string[] {
    return (this.#room?.stages() ?? []).filter((id) => !this.#standings.has(id));
  }

  /** What `Changesets.clear` would remove. */
  clearable(rule: ClearRule): Clearable[] {
    return this.#room ? clearable(this.#room, this.#standings, rule) : [];
  }

  close(): void {
    this.#room?.close();
    this.tree.close();
  }
}

function isOpen({ state }: Standing): boolean {
  return state === "prepared" || state === "aborted";
}
