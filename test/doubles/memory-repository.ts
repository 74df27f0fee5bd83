/**
 * A whole repository in memory, for simulations: the same promises, without processes or a disk. It stands for the
 * world, not for the coordinator's memory of it, so it outlives every crash in a simulation.
 *
 * To play an agent, change the files from `filesAt`; to play the user, change `checkout`. There are two file modes.
 * Ignore rules are plain names, `NAME/` and `*.EXTENSION` in the root's `.gitignore`.
 */
import { folderNames } from "../../src/change/policy/folder-names.ts";
import { isSafeName } from "../../src/git/command/checkout-paths.ts";
import { garbageOf } from "../../src/git/garbage.ts";
import { branchTrouble } from "../../src/git/landing/branch-trouble.ts";
import type * as port from "../../src/git/repository.ts";
import { assert } from "../../src/std/assert.ts";
import { type CommitId, commitId, noCommit, type TreeId } from "../../src/std/object-id.ts";
import { encodeUtf8 } from "../../src/std/utf8.ts";
import { sha256 } from "../../src/world/files/hash.ts";
import { memoryCapture } from "./memory-capture.ts";
import { planMemoryLanding } from "./memory-landing.ts";
import { mergeFiles } from "./memory-merge.ts";
import { changesBetween, type MemoryBlob, type MemoryFiles, MemoryObjects } from "./memory-objects.ts";

interface MemoryDesk {
  readonly files: Map<string, MemoryBlob>;
}

export class MemoryRepository implements port.Repository {
  readonly root = "/memory/checkout";
  readonly guarded = ["/memory/git"];
  /** The user's files. */
  readonly checkout: Map<string, MemoryBlob>;
  /** What decides which programs git starts, by path. */
  readonly settings = new Map<string, string>([["/memory/git/config", "[core]"]]);
  readonly #objects = new MemoryObjects();
  readonly #refs = new Map<string, string>();
  readonly #desks = new Map<string, MemoryDesk>();
  #head: port.Head;

  constructor(files: Readonly<Record<string, string>>) {
    this.checkout = new Map(Object.entries(files).map(([path, text]) => [path, textFile(text)]));
    this.#head = { branch: "main", commit: noCommit };
    this.#head = { branch: "main", commit: this.commitCheckout("Begin", []) };
  }

  /** As if the user had committed everything on the branch that is checked out. */
  commitCheckout(message: string, parents: readonly CommitId[] = [this.#head.commit]): CommitId {
    const tree = this.#objects.putTree(this.checkout);
    const author = { name: "user", email: "user@example.invalid" };
    const commit = this.#objects.putCommit({ tree, parents, message, author, time: 0 });
    this.#head = { ...this.#head, commit };
    return commit;
  }

  /** The files at a desk: change them to play somebody working there. */
  filesAt({ run, name }: Pick<port.Desk, "run" | "name">): Map<string, MemoryBlob> {
    const desk = this.#desks.get(`${run}/${name}`);
    assert(desk, `the desk ${run}/${name} is open`);
    return desk.files;
  }

  /** The files of a commit, for checking results. */
  filesOf(commit: CommitId): MemoryFiles {
    return this.#objects.tree(this.#objects.commit(commit).tree);
  }

  factsOf(commit: CommitId): port.CommitFacts {
    return this.#objects.commit(commit);
  }

  async head(): Promise<port.Head> {
    return this.#head;
  }

  async treeOf(commit: CommitId): Promise<TreeId> {
    return this.#objects.commit(commit).tree;
  }

  async contents(tree: TreeId): Promise<ReadonlyMap<string, string>> {
    const files = [...this.#objects.tree(tree)];
    return new Map(files.map(([path, { mode, bytes }]) => [path, `${mode} ${sha256(bytes)}`]));
  }

  async isAncestor(one: CommitId, of: CommitId): Promise<boolean> {
    for (const commit of this.#objects.history(of)) if (commit === one) return true;
    return false;
  }

  async countCommits({ from, to }: { from: CommitId; to: CommitId }): Promise<number> {
    const before = new Set(this.#objects.history(from));
    return [...this.#objects.history(to)].filter((commit) => !before.has(commit)).length;
  }

  async beginRun(run: string, base: CommitId): Promise<void> {
    const [pinned, branch] = [pinRef(run, "base"), branchRef(run)];
    const at = this.#refs.get(pinned);
    if ((at !== undefined && at !== base) || (at === undefined && this.#refs.has(branch))) {
      throw Object.assign(new Error(`the refs of ${run} are there already`), { code: "GIT_REF_TAKEN" });
    }
    this.#refs.set(pinned, base);
    if (!this.#refs.has(branch)) this.#refs.set(branch, base);
  }

  async tip(run: string): Promise<CommitId | undefined> {
    return this.#commitAt(branchRef(run));
  }

  #commitAt(ref: string): CommitId | undefined {
    const found = this.#refs.get(ref);
    return found === undefined ? undefined : commitId(found);
  }

  async openDesk({ run, name, tree, keep }: port.DeskRequest): Promise<port.Desk> {
    assert(isSafeName(run) && isSafeName(name), `${run} and ${name} are safe names`);
    const key = `${run}/${name}`;
    const isKept = keep && this.#desks.has(key);
    if (!isKept) this.#desks.set(key, { files: new Map(this.#objects.tree(tree)) });
    return { run, name, folder: `/memory/desks/${key}`, isKept };
  }

  async capture(desk: port.Desk, from: TreeId): Promise<port.Captured> {
    if (!this.#desks.has(`${desk.run}/${desk.name}`)) {
      throw Object.assign(new Error(`the desk ${desk.folder} no longer exists`), { code: "DESK_GONE" });
    }
    const before = this.#objects.tree(from);
    const found = memoryCapture(this.filesAt(desk), before);
    const tree = this.#objects.putTree(found.files);
    return {
      ...changesBetween(before, found.files),
      tree,
      namesBefore: folderNames(before.keys()),
      ignored: found.ignored,
      unfit: found.unfit,
      meddled: [],
    };
  }

  async uncommitted(): Promise<readonly string[]> {
    const { changes } = changesBetween(this.filesOf(this.#head.commit), this.checkout);
    return changes.map(({ path }) => path);
  }

  async look({ desks }: Parameters<port.Repository["look"]>[0]): Promise<port.OutsideSnapshot> {
    const marksOf = (files: MemoryFiles) =>
      new Map([...files].map(([path, { mode, bytes }]) => [path, `${mode} ${sha256(bytes)}`]));
    return new Map([
      ["git's settings", { isUsers: false, marks: new Map(this.settings) }],
      ["your checkout", { isUsers: true, marks: marksOf(this.checkout) }],
      ...desks
        .filter(({ run, name }) => this.#desks.has(`${run}/${name}`))
        .map(
          (desk) =>
            [`the desk ${desk.name}`, { isUsers: false, marks: marksOf(this.filesAt(desk)) }] as const,
        ),
    ]);
  }

  async closeDesk({ run, name }: Pick<port.Desk, "run" | "name">): Promise<void> {
    this.#desks.delete(`${run}/${name}`);
  }

  async changes(from: TreeId, to: TreeId): Promise<port.TreeChanges> {
    return this.#objects.changes(from, to);
  }

  async merge(sides: {
    readonly base: TreeId;
    readonly ours: TreeId;
    readonly theirs: TreeId;
  }): Promise<port.Merged> {
    const [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map((id) => this.#objects.tree(id));
    assert(base && ours && theirs, "a merge has three sides");
    const { files, conflicts } = mergeFiles({ base, ours, theirs });
    const tree = this.#objects.putTree(files);
    return conflicts.length > 0 ? { kind: "conflict", tree, paths: conflicts } : { kind: "clean", tree };
  }

  async pin(run: string, name: string, tree: TreeId): Promise<void> {
    this.#refs.set(pinRef(run, name), tree);
  }

  async commitTree(facts: port.CommitFacts): Promise<CommitId> {
    this.#objects.tree(facts.tree);
    return this.#objects.putCommit(facts);
  }

  async advance(
    run: string,
    { from, to }: { readonly from: CommitId; readonly to: CommitId },
  ): Promise<{ readonly found?: CommitId }> {
    const ref = branchRef(run);
    const found = this.#commitAt(ref);
    if (found === undefined) throw branchTrouble.gone(run, from);
    if (found !== from && found !== to) return { found };
    this.#refs.set(ref, to);
    this.#refs.set(pinRef(run, "tip"), to);
    return {};
  }

  async planLanding(tip: CommitId): Promise<port.LandingPlan> {
    const [branch] = [...this.#refs].find(([ref, at]) => at === tip && ref.startsWith(heads)) ?? [];
    const what = branch?.slice(heads.length) ?? tip;
    return planMemoryLanding({
      objects: this.#objects,
      from: this.#head,
      checkout: this.checkout,
      tip,
      what,
    });
  }

  async land({ from, to }: port.LandingRequest): Promise<void> {
    const now = this.#head;
    if (now.branch !== from.branch || (now.commit !== from.commit && now.commit !== to)) {
      throw Object.assign(new Error("your checkout is elsewhere now"), { code: "LAND_MOVED" });
    }
    this.#head = { ...now, commit: to };
  }

  async findGarbage(): Promise<port.Garbage> {
    const desks = [...this.#desks].map(([key, { files }]) => {
      const [run = "", name = ""] = key.split("/");
      const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
      return { run, name, bytes };
    });
    const refs = [...this.#refs.keys()].filter((ref) => ref.startsWith(pins)).sort();
    const runs = new Set([...desks.map(({ run }) => run), ...refs.map((ref) => ref.split("/")[2] ?? "")]);
    return { runs: [...runs].sort(), desks, refs };
  }

  async removeGarbage(runs: readonly string[]): Promise<port.Garbage> {
    const garbage = garbageOf(await this.findGarbage(), runs);
    for (const { run, name } of garbage.desks) this.#desks.delete(`${run}/${name}`);
    for (const ref of garbage.refs) this.#refs.delete(ref);
    return garbage;
  }
}

export function textFile(text: string): MemoryBlob {
  return { bytes: encodeUtf8(text), mode: 0o644 };
}

const heads = "refs/heads/";
const pins = "refs/coxswain/";

function branchRef(run: string): string {
  assert(isSafeName(run), `${run} is a safe name`);
  return `${heads}cox/${run}`;
}

function pinRef(run: string, name: string): string {
  assert(isSafeName(run) && isSafeName(name), `${run} and ${name} are safe names`);
  return `${pins}${run}/${name}`;
}
