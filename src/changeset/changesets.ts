/**
 * The changesets of one root: apply, undo, history.
 *
 * Opening takes the lock and first finishes, or takes back, whatever an earlier process left half done; so
 * whoever holds an open `Changesets` sees a tree in which every changeset is there wholly or not at all.
 */
import { DiskFailed, guard } from "../durable/guard.ts";
import type { Lock } from "../durable/lock.ts";
import type { Problem } from "../std/problem.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import type { Chance } from "../world/chance.ts";
import type { Clock } from "../world/clock.ts";
import { errnoOf } from "../world/errno.ts";
import type { Files } from "../world/files.ts";
import { Tree, TreeError } from "../world/tree.ts";
import { TreeDisk } from "../world/tree-disk.ts";
import { carryBack, carryForward } from "./carry-out.ts";
import { type Clearable, type ClearRule, clear } from "./clear.ts";
import { Conflict } from "./conflict.ts";
import { type ChangesetSummary, type Figures, figures, history } from "./history.ts";
import { Ledger, type Standing } from "./ledger.ts";
import type { Manifest } from "./manifest.ts";
import { progressEntry, progressName } from "./progress.ts";
import type { Outcome, Proposal, Watching } from "./proposal.ts";
import { ImageMissing, isChangesetId, Room, readManifest } from "./room.ts";
import { takeRoomLock } from "./room-lock.ts";
import { stage } from "./stage.ts";
import { takingBack, type Undoing } from "./undo.ts";
import { Misread, notAsPromised, verify } from "./verify.ts";

export interface Opening {
  readonly files: Files;
  readonly root: string;
  readonly clock: Clock;
  readonly chance: Chance;
  /** How long to wait for another process that holds the lock. */
  readonly waitMs?: number;
  /** Ends that wait. */
  readonly signal?: AbortSignal | undefined;
}

/** What was found half done and how it ended. */
export interface Recovered {
  readonly id: string;
  readonly outcome: "finished" | "taken back";
  readonly files: number;
  /** Files that somebody changed meanwhile and that were therefore left as they are. */
  readonly left: readonly string[];
}

export class Changesets {
  readonly recovered: Recovered[] = [];
  readonly disk: TreeDisk;

  private constructor(
    private readonly room: Room,
    private readonly lock: Lock,
    private readonly ledger: Ledger,
    private readonly opening: Opening,
  ) {
    this.disk = new TreeDisk(room.tree);
  }

  static async open(opening: Opening): Promise<Changesets> {
    const tree = Tree.open(guard(opening.files), opening.root);
    try {
      const room = await Room.openOrMake(tree);
      const lock = await takeRoomLock(room, opening.waitMs ?? 10_000, opening.signal);
      const ledger = Ledger.open(tree.files, room.folder, () => opening.chance.id(10));
      const changesets = new Changesets(room, lock, ledger, opening);
      await changesets.#recover();
      return changesets;
    } catch (error) {
      tree.close();
      throw error;
    }
  }

  /** The root with its links resolved. */
  get root(): string {
    return this.room.tree.files.pathOf(this.room.tree.root);
  }

  newId(): string {
    for (;;) {
      const id = this.opening.chance.id(6);
      if (!this.ledger.standings.has(id)) return id;
    }
  }

  async apply(proposal: Proposal, watching: Watching = {}): Promise<Outcome> {
    const { id } = proposal;
    if (!isChangesetId(id)) return refused(badId(id));
    if (this.ledger.standings.get(id)?.state === "applied") return { outcome: "duplicate", id };
    if (proposal.changes.length === 0) return { outcome: "applied", id, files: 0 };

    const at = this.#now();
    let staged: Awaited<ReturnType<typeof stage>>;
    try {
      staged = await stage(this.room, proposal, at, watching);
      watching.signal?.throwIfAborted();
    } catch (error) {
      return this.#giveUp(id, error);
    }
    if (!this.lock.isStillOurs()) return refused(lockLost());
    const { undoes } = proposal.about;
    const data = { id, manifest: staged.sha256, files: proposal.changes.length, ...(undoes && { undoes }) };
    this.ledger.record(at, { event: "changeset_prepared", data });
    return this.#finish(staged.manifest, watching);
  }

  /** Takes back the changeset, or the last one that can be, if the files are still as it left them. */
  async undo(wanted?: string, watching: Watching = {}): Promise<Outcome> {
    return this.#undo({ wanted }, watching);
  }

  /** The files of a landing that did not come to its end: branch and index are as they were. */
  async undoLanding(id: string): Promise<Outcome> {
    return this.#undo({ wanted: id, mayBeLanding: true }, {});
  }

  async #undo(wish: Pick<Undoing, "wanted" | "mayBeLanding">, watching: Watching): Promise<Outcome> {
    const { room, ledger } = this;
    const reverse = takingBack({ room, standings: ledger.standings, id: this.newId(), ...wish });
    return "problems" in reverse
      ? { outcome: "refused", ...reverse }
      : this.apply(reverse.proposal, watching);
  }

  /** Removes what the undo of old changesets would need. */
  clear(rule: ClearRule): Clearable[] {
    return clear({ room: this.room, ledger: this.ledger, rule, at: this.#now() });
  }

  history(): ChangesetSummary[] {
    return history(this.room, this.ledger.standings);
  }

  figures(): Figures {
    return figures(this.ledger.standings);
  }

  close(): void {
    this.ledger.close();
    this.lock.release();
    this.room.close();
    this.room.tree.close();
  }

  /** From the commit point on: wholly there, or wholly taken back. */
  async #finish(manifest: Manifest, watching: Watching): Promise<Outcome> {
    const { id, entries } = manifest;
    const failure = await this.#attempt(manifest, watching);
    if (!failure) {
      this.ledger.record(this.#now(), { event: "changeset_applied", data: { id, verified: entries.length } });
      this.#tidyUp(id);
      this.#note(manifest);
      return { outcome: "applied", id, files: entries.length };
    }
    this.ledger.record(this.#now(), { event: "changeset_aborted", data: { id, reason: failure.reason } });
    const left = await this.#takeBack(manifest, failure.reason);
    if (failure.problems) return refused(...failure.problems, ...left.map(leftAlone));
    throw new DiskFailed(failure.cause, "everything was taken back, nothing is changed");
  }

  /** Nothing when every file is in its place, durable and read back. */
  async #attempt(manifest: Manifest, watching: Watching): Promise<Failure | undefined> {
    try {
      await carryForward(this.room, manifest, watching);
      const wrong = verify(this.room.tree, manifest.entries);
      if (wrong.length === 0) return undefined;
      return { reason: `verification failed: ${wrong.join(", ")}`, problems: wrong.map(notAsPromised) };
    } catch (error) {
      if (error instanceof DiskFailed || error instanceof ImageMissing) throw error;
      if (isRefusal(error)) return { reason: error.message, problems: [error.problem] };
      if (!errnoOf(error)) throw error;
      return { reason: String(error), cause: error };
    }
  }

  async #takeBack(manifest: Manifest, reason: string): Promise<string[]> {
    const { id } = manifest;
    try {
      const left = await carryBack(this.room, manifest);
      this.ledger.record(this.#now(), { event: "changeset_restored", data: { id, left } });
      this.#note(manifest, reason);
      this.#unlessRefused(() => this.room.dropStage(id));
      return left;
    } catch (error) {
      if (error instanceof TreeError || errnoOf(error)) throw new DiskFailed(error);
      throw error;
    }
  }

  /** Before the commit point: nothing was touched, so it is enough to forget it. */
  #giveUp(id: string, error: unknown): Outcome {
    if (error instanceof DiskFailed) throw error;
    this.#unlessRefused(() => this.room.dropStage(id));
    if (isRefusal(error)) return refused(error.problem);
    if (!errnoOf(error)) throw error;
    this.room.tree.mustExist();
    throw new DiskFailed(error, "nothing was changed");
  }

  async #recover(): Promise<void> {
    const { room, ledger } = this;
    for (const standing of [...ledger.standings.values()]) {
      if (standing.state === "prepared") await this.#recoverForward(standing);
      else if (standing.state === "aborted") await this.#recoverBack(standing);
    }
    for (const id of room.stages()) {
      const state = ledger.standings.get(id)?.state;
      if (state === undefined || state === "restored") room.dropStage(id);
    }
    const last = [...ledger.standings.values()].at(-1);
    if (last?.state === "applied") this.#tidyUp(last.id);
  }

  async #recoverForward(standing: Standing): Promise<void> {
    const { id, files } = standing;
    const ended = await this.#finish(readManifest(this.room, standing), {});
    const outcome = ended.outcome === "refused" ? "taken back" : "finished";
    const left = ended.outcome === "refused" ? ended.problems.flatMap(({ path }) => path ?? []) : [];
    this.recovered.push({ id, outcome, files, left });
  }

  async #recoverBack(standing: Standing): Promise<void> {
    const { id, files, reason = "interrupted" } = standing;
    const left = await this.#takeBack(readManifest(this.room, standing), reason);
    this.recovered.push({ id, outcome: "taken back", files, left });
  }

  #tidyUp(id: string): void {
    this.#unlessRefused(() => {
      const folder = this.room.openStage(id);
      if (!folder) return;
      this.room.dropAllButUndo(folder);
      this.room.tree.files.close(folder);
    });
  }

  #note(manifest: Manifest, failure?: string): void {
    const { files } = this.room.tree;
    const entry = progressEntry({ manifest, at: this.#now(), ...(failure !== undefined && { failure }) });
    this.#unlessRefused(() => {
      const file = files.open(this.room.folder, progressName, "append");
      files.write(file, encodeUtf8(entry));
      files.close(file);
    });
  }

  /** For what is convenient but decides nothing: it may be left for the next time. */
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
  /** What a person can act on; nothing when the disk refused. */
  readonly problems?: readonly Problem[];
  readonly cause?: unknown;
}

function isRefusal(error: unknown): error is Conflict | TreeError | Misread {
  return error instanceof Conflict || error instanceof TreeError || error instanceof Misread;
}

function refused(...problems: Problem[]): Outcome {
  return { outcome: "refused", problems };
}

function badId(id: string): Problem {
  return {
    code: "ID_INVALID",
    message: `${JSON.stringify(id.slice(0, 80))} cannot name a changeset`,
    hint: "Use 1 to 64 lower-case letters, digits and dashes, beginning with a letter or digit.",
  };
}

function lockLost(): Problem {
  return {
    code: "LOCK_LOST",
    message: "the lock file was removed while we held it, so another process may be writing",
    hint: "Nothing was changed. Run the command again, and leave .coxswain/changesets/lock alone.",
  };
}

function leftAlone(path: string): Problem {
  return {
    code: "TXN_LEFT_ALONE",
    path,
    message: `${path} was changed by somebody else meanwhile and was left as it is`,
    hint: "Look at it: it is the one file that may differ from before.",
  };
}
