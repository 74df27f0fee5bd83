/**
 * The changesets of one root: apply, undo, history.
 *
 * Opening takes the lock and first finishes, or undoes, whatever an earlier process left half done. So with an open
 * `Changesets`, every changeset in the tree is there wholly or not at all.
 */
import { DiskFailed, guard } from "../durable/guard.ts";
import type { Lock } from "../durable/lock.ts";
import type { Problem } from "../std/problem.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import type { Chance } from "../world/chance.ts";
import { errnoOf } from "../world/files/errno.ts";
import type { Files } from "../world/files/files.ts";
import { Tree } from "../world/folders/tree.ts";
import { TreeDisk } from "../world/folders/tree-disk.ts";
import { TreeError } from "../world/folders/tree-error.ts";
import type { Clock } from "../world/time/clock.ts";
import { carryBack, carryForward } from "./carry-out.ts";
import { ChangesetsFolder, isChangesetId, readManifest } from "./changesets-folder.ts";
import { type Clearable, type ClearRule, clear } from "./clear.ts";
import { Conflict } from "./conflict.ts";
import { type ChangesetFigures, type ChangesetSummary, figures, history } from "./history.ts";
import { type ChangesetState, Ledger } from "./ledger.ts";
import { lockChangesets } from "./lock-changesets.ts";
import type { Manifest, ManifestEntry } from "./manifest.ts";
import { deleteEntries, progressEntries, progressName } from "./progress.ts";
import type { About, ApplyObserver, ApplyOutcome, Proposal } from "./proposal.ts";
import { stage } from "./stage.ts";
import { changesetsPath, isDamage, StageDamaged } from "./stage-damaged.ts";
import { type UndoInput, undoProposal } from "./undo.ts";
import { notAsPromised, ReadBackError, verify } from "./verify.ts";

export interface OpenChangesetsOptions {
  readonly files: Files;
  readonly root: string;
  readonly clock: Clock;
  readonly chance: Chance;
  /** How long to wait for another process that holds the lock. */
  readonly waitMs?: number;
  /** Ends that wait early. */
  readonly signal?: AbortSignal | undefined;
}

/** A changeset that was found half done, and how it ended. */
export interface Recovered {
  readonly id: string;
  readonly outcome: "finished" | "taken back";
  readonly files: number;
  /** Why it was undone. */
  readonly reason?: string;
  /** Files that were left as they are because somebody changed them meanwhile. */
  readonly left: readonly string[];
}

export class Changesets {
  readonly recovered: Recovered[] = [];
  readonly disk: TreeDisk;

  private constructor(
    private readonly changesetsFolder: ChangesetsFolder,
    private readonly lock: Lock,
    private readonly ledger: Ledger,
    private readonly opening: OpenChangesetsOptions,
  ) {
    this.disk = new TreeDisk(changesetsFolder.tree);
  }

  static async open(opening: OpenChangesetsOptions): Promise<Changesets> {
    const tree = Tree.open(guard(opening.files), opening.root);
    let changesetsFolder: ChangesetsFolder | undefined;
    let lock: Lock | undefined;
    let ledger: Ledger | undefined;
    try {
      changesetsFolder = await ChangesetsFolder.openOrMake(tree);
      lock = await lockChangesets(changesetsFolder, opening.waitMs ?? 10_000, opening.signal);
      ledger = Ledger.open(tree.files, changesetsFolder.handle, () => opening.chance.id(10));
      const changesets = new Changesets(changesetsFolder, lock, ledger, opening);
      await changesets.#recover();
      return changesets;
    } catch (error) {
      ledger?.close();
      lock?.release();
      changesetsFolder?.close();
      tree.close();
      throw error;
    }
  }

  /** The root with its links resolved. */
  get root(): string {
    return this.changesetsFolder.tree.path;
  }

  newId(): string {
    for (;;) {
      const id = this.opening.chance.id(6);
      if (!this.ledger.changesets.has(id)) return id;
    }
  }

  async apply(proposal: Proposal, observer: ApplyObserver = {}): Promise<ApplyOutcome> {
    const { id } = proposal;
    if (!isChangesetId(id)) return refused(badId(id));
    const changeset = this.ledger.changesets.get(id);
    if (changeset?.state === "applied") return { outcome: "duplicate", id };
    if (changeset && isKept(changeset) && this.changesetsFolder.savedBytes(id) !== undefined)
      return refused(stillKept(changeset));
    if (proposal.changes.length === 0) return { outcome: "applied", id, files: 0 };

    const at = this.#now();
    let staged: Awaited<ReturnType<typeof stage>>;
    try {
      staged = await stage(this.changesetsFolder, proposal, at, observer);
      observer.signal?.throwIfAborted();
    } catch (error) {
      return this.#giveUp(id, error);
    }
    if (!this.lock.isStillOurs()) return refused(lockLost());
    const { undoes } = proposal.about;
    const data = { id, manifest: staged.sha256, files: proposal.changes.length, ...(undoes && { undoes }) };
    this.ledger.record(at, { event: "changeset_prepared", data });
    return this.#finish(staged.manifest, observer);
  }

  /** Undoes the given changeset, or the last one that can be undone, if its files are still as it left them. */
  async undo(wanted?: string, observer: ApplyObserver = {}): Promise<ApplyOutcome> {
    return this.#undo({ wanted }, observer);
  }

  /** Takes back the files of a landing that did not finish. The branch and index must be as they were before it. */
  async undoLanding(id: string): Promise<ApplyOutcome> {
    return this.#undo({ wanted: id, mayBeLanding: true }, {});
  }

  async #undo(
    options: Pick<UndoInput, "wanted" | "mayBeLanding">,
    observer: ApplyObserver,
  ): Promise<ApplyOutcome> {
    const { changesetsFolder, ledger } = this;
    const reverse = undoProposal({
      changesetsFolder,
      changesets: ledger.changesets,
      id: this.newId(),
      ...options,
    });
    return "problems" in reverse
      ? { outcome: "refused", ...reverse }
      : this.apply(reverse.proposal, observer);
  }

  /** Removes what the undo of old changesets would need. */
  clear(rule: ClearRule): Clearable[] {
    return clear({ changesetsFolder: this.changesetsFolder, ledger: this.ledger, rule, at: this.#now() });
  }

  /** Adds to progress.md the deletes of a reply that did not become a changeset. */
  noteDeletes(about: Omit<About, "operations">): void {
    this.#note(deleteEntries(about, this.#now()));
  }

  #note(entry: string): void {
    const { files } = this.changesetsFolder.tree;
    this.#unlessRefused(() => {
      const file = files.open(this.changesetsFolder.handle, progressName, "append");
      files.write(file, encodeUtf8(entry));
      files.close(file);
    });
  }

  history(): ChangesetSummary[] {
    return history(this.changesetsFolder, this.ledger.changesets);
  }

  figures(): ChangesetFigures {
    return figures(this.ledger.changesets);
  }

  close(): void {
    this.ledger.close();
    this.lock.release();
    this.changesetsFolder.close();
    this.changesetsFolder.tree.close();
  }

  /** From the commit point on: the changeset ends up completely applied or completely undone. */
  async #finish(manifest: Manifest, observer: ApplyObserver): Promise<ApplyOutcome> {
    const { id, entries } = manifest;
    const failure = await this.#attempt(manifest, observer);
    if (!failure) {
      this.ledger.record(this.#now(), { event: "changeset_applied", data: { id, verified: entries.length } });
      this.#tidyUp(id);
      this.#noteEnd(manifest);
      return { outcome: "applied", id, files: entries.length };
    }
    this.ledger.record(this.#now(), { event: "changeset_aborted", data: { id, reason: failure.reason } });
    const left = await this.#takeBack(manifest, failure.reason);
    if (failure.problems) return refused(...failure.problems, ...left.map((entry) => leftAlone(id, entry)));
    throw new DiskFailed(failure.cause, "everything was undone, nothing is changed");
  }

  /** Returns undefined when every file is in place, durable and read back. */
  async #attempt(manifest: Manifest, observer: ApplyObserver): Promise<Failure | undefined> {
    try {
      await carryForward(this.changesetsFolder, manifest, observer);
      const wrong = verify(this.changesetsFolder.tree, manifest.entries);
      if (wrong.length === 0) return undefined;
      return { reason: `verification failed: ${wrong.join(", ")}`, problems: wrong.map(notAsPromised) };
    } catch (error) {
      if (error instanceof DiskFailed) throw error;
      if (isRefusal(error)) return { reason: error.message, problems: [error.problem] };
      if (!errnoOf(error)) throw error;
      return { reason: String(error), cause: error };
    }
  }

  /** Returns the files that were left alone. If there are any, the saved earlier versions are kept. */
  async #takeBack(manifest: Manifest, reason: string): Promise<ManifestEntry[]> {
    const { id } = manifest;
    try {
      const entries = await carryBack(this.changesetsFolder, manifest);
      const left = entries.map(({ path }) => path);
      this.ledger.record(this.#now(), { event: "changeset_restored", data: { id, left } });
      this.#noteEnd(manifest, reason);
      if (left.length > 0) this.#tidyUp(id);
      else this.#unlessRefused(() => this.changesetsFolder.dropStage(id));
      return entries;
    } catch (error) {
      if (error instanceof TreeError || errnoOf(error)) throw new DiskFailed(error);
      throw error;
    }
  }

  /** Before the commit point nothing was touched, so dropping the stage is enough. */
  #giveUp(id: string, error: unknown): ApplyOutcome {
    if (error instanceof DiskFailed) throw error;
    this.#unlessRefused(() => this.changesetsFolder.dropStage(id));
    if (isRefusal(error)) return refused(error.problem);
    if (!errnoOf(error)) throw error;
    this.changesetsFolder.tree.mustExist();
    throw new DiskFailed(error, "nothing was changed");
  }

  async #recover(): Promise<void> {
    const { changesetsFolder, ledger } = this;
    for (const changeset of [...ledger.changesets.values()]) {
      if (changeset.state === "prepared") await this.#recoverForward(changeset);
      else if (changeset.state === "aborted") await this.#recoverBack(changeset);
    }
    for (const id of changesetsFolder.stages()) {
      const changeset = ledger.changesets.get(id);
      if (changeset && isKept(changeset)) this.#tidyUp(id);
      else if (!changeset || changeset.state === "restored")
        this.#unlessRefused(() => changesetsFolder.dropStage(id));
    }
    const last = [...ledger.changesets.values()].at(-1);
    if (last?.state === "applied") this.#tidyUp(last.id);
  }

  async #recoverForward(changeset: ChangesetState): Promise<void> {
    const { id, files } = changeset;
    const ended = await this.#finish(readManifest(this.changesetsFolder, changeset), {});
    const problems = ended.outcome === "refused" ? ended.problems : [];
    const outcome = ended.outcome === "refused" ? "taken back" : "finished";
    const left = problems.filter(isLeft);
    const reason = problems[0]?.message;
    this.recovered.push({
      id,
      outcome,
      files,
      ...(reason !== undefined && { reason }),
      left: left.flatMap(({ path }) => path ?? []),
    });
    // The changeset was undone. Without this error, a caller that simply continues would never learn of the damage.
    const damage = problems.find(isDamage);
    if (damage) throw new StageDamaged({ ...damage, hint: [damage, ...left].map(hintOf).join(" ") });
  }

  async #recoverBack(changeset: ChangesetState): Promise<void> {
    const { id, files, reason = "interrupted" } = changeset;
    const left = await this.#takeBack(readManifest(this.changesetsFolder, changeset), reason);
    this.recovered.push({ id, outcome: "taken back", files, reason, left: left.map(({ path }) => path) });
  }

  #tidyUp(id: string): void {
    this.#unlessRefused(() => {
      const folder = this.changesetsFolder.openStage(id);
      if (!folder) return;
      try {
        this.changesetsFolder.dropAllButUndo(folder);
      } finally {
        this.changesetsFolder.tree.files.close(folder);
      }
    });
  }

  #noteEnd(manifest: Manifest, failure?: string): void {
    this.#note(progressEntries({ manifest, at: this.#now(), ...(failure !== undefined && { failure }) }));
  }

  /** For work that is convenient but decides nothing: if the disk refuses, it waits for the next time. */
  #unlessRefused(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!errnoOf(error) && !(error instanceof DiskFailed)) throw error;
    }
  }

  #now(): string {
    return new Date(this.opening.clock.now()).toISOString();
  }
}

interface Failure {
  readonly reason: string;
  /** What a person can act on; missing when the disk refused. */
  readonly problems?: readonly Problem[];
  readonly cause?: unknown;
}

function isRefusal(error: unknown): error is Conflict | TreeError | ReadBackError | StageDamaged {
  return [Conflict, TreeError, ReadBackError, StageDamaged].some((kind) => error instanceof kind);
}

/** Taken back except for some files, whose earlier versions are still in the stage. */
function isKept({ left, isCleared }: ChangesetState): boolean {
  return left !== undefined && !isCleared;
}

function refused(...problems: Problem[]): ApplyOutcome {
  return { outcome: "refused", problems };
}

function badId(id: string): Problem {
  return {
    code: "ID_INVALID",
    message: `${JSON.stringify(id.slice(0, 80))} is not a valid changeset id`,
    hint: "Use 1 to 64 lower-case letters, digits and dashes, starting with a letter or digit.",
  };
}

function lockLost(): Problem {
  return {
    code: "LOCK_LOST",
    message: "the lock file was removed while we held it, so another process may be writing",
    hint: "Nothing was changed. Run the command again, and leave .coxswain/changesets/lock alone.",
  };
}

const leftCode = "TXN_LEFT_ALONE";

function leftAlone(id: string, { path, pre, offset }: ManifestEntry): Problem {
  const saved = `tail -c +${(offset ?? 0) + 1} ${changesetsPath}/${id}/before | head -c ${pre?.size}`;
  return {
    code: leftCode,
    path,
    message: `${path} was changed by somebody else meanwhile and was not touched`,
    hint: `Look at it: it may differ from before.${pre ? ` As it was then: ${saved}` : ""}`,
  };
}

function isLeft({ code }: Problem): boolean {
  return code === leftCode;
}

function hintOf(problem: Problem): string {
  return isLeft(problem) ? `${problem.message}. ${problem.hint}` : problem.hint;
}

function stillKept({ id, left = [] }: ChangesetState): Problem {
  return {
    code: leftCode,
    message: `changeset ${id} was undone except for ${left.join(", ")}; their earlier versions are still kept in ${changesetsPath}/${id}/before`,
    hint: `Nothing was changed. Use another id, or, if you no longer need these files: rm -r ${changesetsPath}/${id}`,
  };
}
