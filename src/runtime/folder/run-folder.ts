/**
 * `.coxswain/runs/RUN/`: everything about one run that a person can look at. The log is the truth, inputs are copies of
 * what was approved, and the rest are views and records of turns.
 */
import { guard } from "../../durable/guard.ts";
import { Lock } from "../../durable/lock.ts";
import { replaceFile, replaceFileUnsynced } from "../../durable/replace-file.ts";
import { takeLock } from "../../durable/take-lock.ts";
import { fileNames } from "../../journal/file-names.ts";
import { assert } from "../../std/assert.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { tolerating } from "../../world/files/errno.ts";
import type { Files, Folder, Stat } from "../../world/files/files.ts";
import { Tree } from "../../world/folders/tree.ts";
import type { Archive, KeptLines } from "./archive.ts";
import { BoundedLines, lineBounds } from "./bounded-lines.ts";
import { LineFollower } from "./line-follower.ts";

const runsPath = ".coxswain/runs";
/** Replies are limited to far less; a log of outputs may be long. */
const bytesMax = 1 << 28;

export class RunFolder implements Archive {
  private constructor(
    private readonly tree: Tree,
    readonly run: string,
  ) {}

  /** Creates the folder durably if it is missing, and makes the user's git ignore it. */
  static async make(files: Files, root: string, run: string, foldersKeptMax?: number): Promise<RunFolder> {
    const tree = Tree.open(guard(files), root, foldersKeptMax);
    const folder = new RunFolder(tree, run);
    try {
      tree.make(".coxswain");
      tree.make(runsPath);
      await ignoreAll(tree);
      tree.make(folder.#path);
      tree.make(`${folder.#path}/inbox`);
      const made = ["", ".coxswain", runsPath, folder.#path];
      await Promise.all(made.map((path) => tree.withFolder(path, (one) => tree.files.syncAll([one]))));
      return folder;
    } catch (error) {
      tree.close();
      throw error;
    }
  }

  /** Undefined if there is no such run. */
  static open(files: Files, root: string, run: string): RunFolder | undefined {
    const tree = Tree.open(guard(files), root);
    const folder = new RunFolder(tree, run);
    if (tree.hasFolder(folder.#path)) return folder;
    tree.close();
    return undefined;
  }

  /**
   * Locks an action that only one process at a time may do in a repository, whatever the run. Throws LOCK_HELD after
   * waiting in vain.
   */
  static async lockAll(
    files: Files,
    root: string,
    options: SharedLockOptions,
  ): Promise<Pick<Lock, "release">> {
    const guarded = guard(files);
    const folder = openRuns(guarded, root);
    try {
      return withItsFolder(guarded, folder, await takeLock({ files: guarded, folder, ...options }));
    } catch (error) {
      guarded.close(folder);
      throw error;
    }
  }

  /** Keeps any writer away from the run. Undefined if it has a writer already, or if there is no such run. */
  static lock(files: Files, root: string, run: string): Pick<Lock, "release"> | undefined {
    const tree = Tree.open(files, root);
    const folder = tree.openFolder(`${runsPath}/${run}`);
    tree.close();
    if (!folder) return undefined;
    const lock = Lock.take(files, folder, fileNames.lock, `process ${process.pid}`);
    if (lock) return withItsFolder(files, folder, lock);
    files.close(folder);
    return undefined;
  }

  /**
   * The runs that were started, newest first. The order never changes, whatever happens in them, so a command without a
   * name is about the same run as the one before it.
   */
  static list(files: Files, root: string): string[] {
    const begun = logsBelow(files, root);
    return begun.sort(([, one], [, other]) => Number(other.began - one.began)).map(([run]) => run);
  }

  /** For each started run, a stamp that changes when more is recorded. */
  static stamps(files: Files, root: string): ReadonlyMap<string, string> {
    return new Map(
      logsBelow(files, root).map(([run, { inode, size, modified }]) => [run, `${inode} ${size} ${modified}`]),
    );
  }

  get #path(): string {
    return `${runsPath}/${this.run}`;
  }

  /** Its absolute path, for messages and for the journal. */
  get path(): string {
    return `${this.tree.path}/${this.#path}`;
  }

  async keep(name: string, bytes: Uint8Array): Promise<void> {
    const { files } = this.tree;
    const path = `${this.#path}/${name}`;
    this.#makeAbove(path);
    await this.tree.withParent(path, async (entry) => {
      await replaceFile({ files, ...entry, bytes });
      files.sync(entry.folder);
    });
  }

  /** For files that only matter now: written immediately, but a power cut may lose them. */
  show(name: string, bytes: Uint8Array): void {
    const { files } = this.tree;
    this.tree.withParent(`${this.#path}/${name}`, (entry) => replaceFileUnsynced({ files, ...entry, bytes }));
  }

  lines(name: string, gap: (words: string) => string): KeptLines {
    const path = `${this.#path}/${name}`;
    this.#makeAbove(path);
    return new BoundedLines({ tree: this.tree, path, bounds: lineBounds, gap });
  }

  /** Follows stored lines as they are added. The caller closes it. */
  follow(name: string): LineFollower {
    return new LineFollower(this.tree, `${this.#path}/${name}`);
  }

  /** Creates the folders above a path. */
  #makeAbove(path: string): void {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (this.tree.hasFolder(folder)) return;
    this.#makeAbove(folder);
    this.tree.make(folder);
  }

  find(name: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.read(name));
  }

  read(name: string): Uint8Array | undefined {
    return this.tree.read(`${this.#path}/${name}`, bytesMax)?.bytes;
  }

  has(name: string): boolean {
    return this.tree.stat(`${this.#path}/${name}`)?.kind === "file";
  }

  names(folder: string): readonly string[] {
    return this.tree.list(`${this.#path}/${folder}`);
  }

  remove(name: string): void {
    this.tree.withParent(`${this.#path}/${name}`, (entry) =>
      tolerating("ENOENT", () => this.tree.files.unlink(entry.folder, entry.name)),
    );
  }

  close(): void {
    this.tree.close();
  }
}

/** Creates the folder if it is missing. The caller closes it. */
function openRuns(files: Files, root: string): Folder {
  const tree = Tree.open(files, root);
  try {
    tree.make(".coxswain");
    tree.make(runsPath);
    const folder = tree.openFolder(runsPath);
    assert(folder, `${runsPath} is there after it was made`);
    return folder;
  } finally {
    tree.close();
  }
}

/** A lock that also closes its folder when released. */
function withItsFolder(files: Files, folder: Folder, lock: Lock): Pick<Lock, "release"> {
  return {
    release() {
      lock.release();
      files.close(folder);
    },
  };
}

async function ignoreAll(tree: Tree): Promise<void> {
  const { files } = tree;
  await tree.withFolder(runsPath, async (folder) => {
    if (files.stat(folder, ".gitignore")) return;
    await replaceFile({ files, folder, name: ".gitignore", bytes: encodeUtf8("*\n") });
  });
}

export interface SharedLockOptions {
  readonly name: ".begin.lock" | ".land.lock";
  readonly waitMs: number;
  /** Ends the sentence "another cox works on …". */
  readonly where: string;
}

interface Log extends Stat {
  /** When its plan was copied; that file is never written again. */
  readonly began: Stat["modified"];
}

function logsBelow(files: Files, root: string): [run: string, log: Log][] {
  const tree = Tree.open(files, root);
  try {
    return tree.list(runsPath).flatMap((run): [string, Log][] => {
      if (tree.stat(`${runsPath}/${run}`)?.kind !== "folder") return [];
      // A run whose log is missing was still started, as its head shows; reading it reports the missing log.
      const log = [fileNames.log, fileNames.head]
        .map((name) => tree.stat(`${runsPath}/${run}/${name}`))
        .find((found) => found !== undefined);
      if (!log) return [];
      const plan = tree.stat(`${runsPath}/${run}/plan.md`);
      return [[run, { ...log, began: (plan ?? log).modified }]];
    });
  } finally {
    tree.close();
  }
}
