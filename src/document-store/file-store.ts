/**
 * A document store in files, shared by many processes: `.coxswain/docs/` and its sibling folders below a root.
 *
 * Readers take no lock. Writers take turns. Each change is recorded and applied so that a crash at any moment leaves it
 * either complete or not begun. Nothing is created on disk before the first change.
 */

import type { DocumentPath } from "../document/address.ts";
import type {
  Author,
  Deed,
  DocumentEntry,
  DocumentStore,
  Library,
  ReadDocument,
  StoreDecision,
} from "../document/store.ts";
import { revise } from "../document/text/revise.ts";
import { guard } from "../durable/guard.ts";
import { Log } from "../durable/log.ts";
import { SessionKeeper } from "../durable/session-keeper.ts";
import type { Chance } from "../world/chance.ts";
import type { Files } from "../world/files/files.ts";
import type { FolderWatch } from "../world/folders/folder-watch.ts";
import { Tree } from "../world/folders/tree.ts";
import type { Clock } from "../world/time/clock.ts";
import { commit, type RecordName, Unsettled } from "./commit.ts";
import { notificationsArrived, usualTrust } from "./folder-snapshots.ts";
import { History } from "./history.ts";
import { changesIn, type PastChange, withdrawnIn } from "./record.ts";
import { Shelf } from "./shelf.ts";
import { roomNames, StoreRoom } from "./store-room.ts";
import { Watcher } from "./watcher.ts";
import type { WriteSession } from "./write-session.ts";
import { WriteSessions } from "./write-sessions.ts";

/** A holder releases the lock soon after somebody starts waiting. A longer wait means that the holder is stuck. */
const waitMs = 10_000;

/** An editor that saves again on every attempt is a program out of control. */
const attemptsMax = 50;

export interface OpenStoreOptions {
  readonly files: Files;
  /** The repository. */
  readonly root: string;
  readonly clock: Clock;
  readonly chance: Chance;
  /** How long to wait for another process that holds the lock. */
  readonly waitMs?: number;
  /** How long the log may get. */
  readonly logBytesMax?: number;
  /** Reports that others changed something; without it the folders are polled. */
  readonly folders?: FolderWatch;
}

export class FileStore implements DocumentStore {
  readonly #shelf: Shelf;
  readonly #turns: WriteSessions;
  readonly #keeper: SessionKeeper<WriteSession>;
  readonly #history = new History();
  readonly #listeners = new Set<(paths: readonly DocumentPath[]) => void>();
  #watcher: Watcher | undefined;
  /** Changes requested and not finished yet. */
  #changing = 0;

  private constructor(
    private readonly tree: Tree,
    private readonly opening: OpenStoreOptions,
  ) {
    this.#shelf = new Shelf(tree, opening.clock);
    this.#turns = new WriteSessions({ waitMs, ...opening, tree });
    this.#keeper = new SessionKeeper(this.#turns);
  }

  static open(opening: OpenStoreOptions): FileStore {
    return new FileStore(Tree.open(guard(opening.files), opening.root), opening);
  }

  read(path: DocumentPath): ReadDocument {
    return this.#shelf.read(path);
  }

  list(): readonly DocumentEntry[] {
    return this.#shelf.list();
  }

  archive(): readonly DocumentEntry[] {
    return this.#shelf.archive();
  }

  async listing(): Promise<readonly DocumentEntry[]> {
    await notificationsArrived();
    return this.#shelf.list(usualTrust);
  }

  async change<T>(
    author: Author,
    decide: (now: Library & { readonly at: string }) => StoreDecision<T>,
  ): Promise<T> {
    // A decision that changes nothing needs no lock, but must come after earlier requests. If the lock is at hand
    // anyway, there is no need to decide twice.
    const isAlone = this.#changing === 0 && !this.#keeper.isAtHand;
    const decision = isAlone ? decide(this.#now()) : undefined;
    if (decision && !decision.edits) return decision.answer;
    this.#changing += 1;
    try {
      for (let attempt = 0; attempt < attemptsMax; attempt++) {
        const done = await this.#attempt(author, decide);
        if (done) return done.answer;
      }
      throw new NeverAtRest();
    } finally {
      this.#changing -= 1;
    }
  }

  history(): readonly Deed[] {
    const { files } = this.tree;
    const folder = StoreRoom.peek(this.tree);
    try {
      return this.#history.read(files, folder);
    } finally {
      if (folder) files.close(folder);
    }
  }

  /**
   * Every change with everything it added and removed, oldest first. For a one-time look back: it reads the whole log.
   */
  past(): readonly PastChange[] {
    const { files } = this.tree;
    const folder = StoreRoom.peek(this.tree);
    if (!folder) return [];
    try {
      return changesIn(Log.peek({ files, folder, name: roomNames.log }));
    } finally {
      files.close(folder);
    }
  }

  watch(listener: (paths: readonly DocumentPath[]) => void): () => void {
    this.#listeners.add(listener);
    const { folders = noSigns } = this.opening;
    const shelf = this.#shelf;
    this.#watcher ??= new Watcher({
      snapshots: shelf.snapshots,
      folders,
      tell: (paths) => this.#tell(paths),
      freshen: () => shelf.freshen(),
    });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stopWatching();
    };
  }

  async close(): Promise<void> {
    this.#stopWatching();
    try {
      await this.#keeper.close();
    } finally {
      await this.#turns.close();
      this.tree.close();
    }
  }

  /**
   * Each document is read once, so the decision and the edit refer to the same text, whoever writes in the meantime.
   */
  #now(): Library & { readonly at: string } {
    const shelf = this.#shelf;
    const seen = new Map<DocumentPath, ReadDocument>();
    return {
      at: new Date(this.opening.clock.now()).toISOString(),
      read: (path) => {
        const found = seen.get(path) ?? shelf.read(path);
        seen.set(path, found);
        return found;
      },
      list: () => shelf.list(),
      archive: () => shelf.archive(),
    };
  }

  /** Undefined if the change must be decided again. */
  async #attempt<T>(
    author: Author,
    decide: (now: Library & { readonly at: string }) => StoreDecision<T>,
  ): Promise<{ readonly answer: T } | undefined> {
    const goOn = this.#watcher?.hold();
    try {
      return await this.#attemptUnseen(author, decide);
    } finally {
      goOn?.();
    }
  }

  async #attemptUnseen<T>(
    author: Author,
    decide: (now: Library & { readonly at: string }) => StoreDecision<T>,
  ): Promise<{ readonly answer: T } | undefined> {
    let decided: { readonly answer: T; readonly paths: readonly DocumentPath[] } | undefined;
    try {
      const isDone = await this.#keeper.use(async (turn) => {
        const now = this.#now();
        const { answer, edits, done } = { done: undefined, ...decide(now) };
        const revisions = edits ? revise(now, edits) : [];
        decided = { answer, paths: revisions.map(({ path }) => path) };
        if (!done || revisions.length === 0) return true;
        return await commit(turn, this.#shelf, { by: author, done, at: now.at, revisions });
      });
      if (!isDone || !decided) return undefined;
    } catch (error) {
      if (!(error instanceof Unsettled)) throw error;
      const { record } = error;
      if (!decided || !record || !(await this.#stands(record))) return undefined;
    }
    for (const path of decided.paths) this.#watcher?.note(path, this.#shelf.stamp(path));
    this.#tell(decided.paths);
    return decided;
  }

  /** Whether a record that was already written when our session ended was applied. The next session has settled it. */
  #stands({ seq, sum }: RecordName): Promise<boolean> {
    return this.#keeper.use(async ({ room }) => {
      const { files } = this.tree;
      const records = Log.peek({ files, folder: room.folder, name: roomNames.log });
      const isThere = records[seq - 1]?.sum === sum;
      return isThere && !records.some((record) => withdrawnIn(record) === seq);
    });
  }

  #stopWatching(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #tell(paths: readonly DocumentPath[]): void {
    if (paths.length === 0) return;
    for (const listener of this.#listeners) listener(paths);
  }
}

const noSigns: FolderWatch = { watch: () => undefined };

class NeverAtRest extends Error {
  override name = "NeverAtRest";
  readonly code = "DOC_NEVER_AT_REST";
  readonly hint = "Find the program that keeps writing these documents, then call again.";

  constructor() {
    super(
      `nothing was changed: somebody else wrote the documents each of ${attemptsMax} times we were about to`,
    );
  }
}
