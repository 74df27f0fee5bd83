/**
 * Sorts what is at a desk by what a capture does with it. We walk the desk ourselves and hand git single files, because
 * git's own walk opens what it finds: it reads nested repositories, and waits for ever on a pipe named `.gitignore`.
 *
 * Files are ignored according to the `.gitignore` files at the desk (they are part of what the agent proposes, and
 * judged like any other file) and the user's own excludes, never according to anything in the desk's `.git`. An agent
 * gains nothing by hiding a file: what is not in the tree is missing when the tree is verified.
 */
import { assert } from "../../std/assert.ts";
import { type BytePath, bytePath, joinBytePath, noPath, rawBytePath } from "../../world/files/byte-path.ts";
import type { FolderTrees, TreeEntry } from "../../world/folders/folder-trees.ts";
import { breather } from "../breather.ts";
import type { CheckoutPaths } from "../command/checkout-paths.ts";
import type { GitCommand } from "../command/git-command.ts";
import type { TreeListing } from "../tree-listing.ts";
import { type Fitness, fitness, type Judge, unfitPath } from "./fitness.ts";
import { notRegular, refusedByGit, type UnfitFile, unfitNestedRepository } from "./unfit.ts";

export interface Survey {
  /** Files and links for git to look at: new, changed or unchanged. */
  readonly present: readonly BytePath[];
  /** Files of the tree that are missing at the desk. */
  readonly missing: readonly BytePath[];
  /** Files of the tree that may not be changed; whether they were is not known yet. */
  readonly withheld: ReadonlyMap<BytePath, UnfitFile>;
  readonly ignored: readonly BytePath[];
  readonly unfit: readonly UnfitFile[];
  /** Git would hang on something at this desk, so nothing there can be captured. */
  readonly isBlocked: boolean;
}

interface Surveyor {
  readonly git: GitCommand;
  readonly trees: FolderTrees;
  readonly place: CheckoutPaths;
}

/** Costs no git process if nothing is untracked, otherwise one for each level of new folders. */
export async function survey(world: Surveyor, folder: string, tree: TreeListing): Promise<Survey> {
  const walk = new DeskWalk(world, folder, tree);
  let untracked = await walk.tracked();
  while (untracked.length > 0 && !walk.isBlocked) untracked = await walk.untracked(untracked);
  return walk.result();
}

class DeskWalk {
  isBlocked = false;
  readonly #present: BytePath[] = [];
  readonly #ignored: BytePath[] = [];
  readonly #unfit: UnfitFile[] = [];
  readonly #withheld = new Map<BytePath, UnfitFile>();
  readonly #seen = new Set<BytePath>();
  readonly #desk: BytePath;
  readonly #judge: Judge;
  readonly #breathe = breather();

  constructor(
    private readonly world: Surveyor,
    private readonly folder: string,
    private readonly tree: TreeListing,
  ) {
    this.#desk = bytePath(folder);
    this.#judge = fitness(world, { desk: this.#desk, tree });
  }

  /** Walks every folder that holds files of the tree, and returns what else is in them. */
  async tracked(): Promise<Found[]> {
    const { tree } = this;
    const others: Found[] = [];
    const folders: BytePath[] = [noPath];
    for (let at = folders.pop(); at !== undefined && !this.isBlocked; at = folders.pop()) {
      for (const entry of this.#entriesIn(at)) {
        await this.#breathe();
        if (entry.kind === "folder" && tree.folders.has(entry.path)) folders.push(entry.path);
        else if (tree.entries.get(entry.path)?.mode === "160000") this.#seen.add(entry.path);
        else if (entry.kind !== "folder" && tree.entries.has(entry.path)) this.#take(entry);
        else others.push(entry);
      }
    }
    return others;
  }

  /** Handles one level of what is not in the tree, and returns the next. */
  async untracked(entries: readonly Found[]): Promise<Found[]> {
    const ignored = await this.#ignoredOf(entries);
    const next: Found[] = [];
    for (const entry of entries) {
      await this.#breathe();
      if (ignored.has(entry.path))
        this.#ignored.push(entry.kind === "folder" ? rawBytePath(`${entry.path}/`) : entry.path);
      else if (entry.kind !== "folder") this.#take(entry);
      else if (this.#judge.isTooDeep(entry.path)) this.#unfit.push(this.#judge.tooDeep(entry.path));
      else next.push(...this.#entriesIn(entry.path));
    }
    return next;
  }

  /** What was found, and which files of the tree were not. */
  result(): Survey {
    const missing: BytePath[] = [];
    for (const [path, { mode }] of this.tree.entries) {
      if (this.#seen.has(path) || mode === "160000") continue;
      const unfit = unfitPath(path);
      if (unfit) this.#withheld.set(path, unfit);
      else missing.push(path);
    }
    return {
      present: this.#present,
      missing,
      withheld: this.#withheld,
      ignored: this.#ignored,
      unfit: this.#unfit,
      isBlocked: this.isBlocked,
    };
  }

  #take(entry: Found): void {
    const { path } = entry;
    if (this.tree.entries.has(path)) this.#seen.add(path);
    if (entry.kind === "file" && (entry.mode & 0o400) === 0)
      this.world.trees.unlock(joinBytePath(this.#desk, path));
    const judged: Fitness = this.#judge.present(path, entry);
    if (judged.isUntouched) return;
    if (judged.unfit && judged.isSure) this.#unfit.push(judged.unfit);
    else if (judged.unfit) this.#withheld.set(path, judged.unfit);
    else this.#present.push(path);
  }

  /**
   * Git directories are left out, because they are not content. A new folder that has one is a separate repository as a
   * whole.
   */
  #entriesIn(at: BytePath): Found[] {
    const entries = this.world.trees
      .list(joinBytePath(this.#desk, at))
      .map((entry) => ({ ...entry, path: joinBytePath(at, entry.name) }));
    const plain = entries.filter(({ name }) => name.toLowerCase() !== ".git");
    if (plain.some(({ name, kind }) => kind === "other" && readByGit.has(name))) this.isBlocked = true;
    const special = plain.filter(({ kind }) => kind === "other");
    this.#unfit.push(...special.map(({ path }) => notRegular(path)));
    for (const { path } of special) this.#seen.add(path);
    for (const { name, path } of at === "" ? entries : []) {
      if (name !== ".git" && name.toLowerCase() === ".git") this.#unfit.push(refusedByGit(path));
    }
    const isNested = at !== "" && plain.length < entries.length;
    if (isNested) this.#unfit.push(unfitNestedRepository(at));
    if (isNested && !this.tree.folders.has(at)) return [];
    return plain.filter(({ kind }) => kind !== "other");
  }

  async #ignoredOf(entries: readonly Found[]): Promise<ReadonlySet<string>> {
    assert(entries.length > 0, "somebody asks about something");
    // With a leading `./`, no name is taken for a pattern; the output repeats it.
    const input = Buffer.from(entries.map(({ path }) => `./${path}\0`).join(""), "latin1");
    const args = ["check-ignore", "-z", "--stdin", "--no-index"];
    const { stdout } = await this.world.git.own(args, { input, workTree: this.folder, answers: [1] });
    const answers = Buffer.from(stdout).toString("latin1").split("\0");
    return new Set(answers.map((answer) => answer.slice(2)));
  }
}

interface Found extends TreeEntry {
  readonly path: BytePath;
}

/** Git opens these by itself, and hangs if they are pipes. */
const readByGit: ReadonlySet<string> = new Set([".gitignore", ".gitattributes"]);
