/**
 * `.coxswain/runs/RUN/`: everything of one run that a person can look at. The log is the truth; inputs are copies of what was
 * approved; the rest are views and records of turns.
 */
import { guard } from "../durable/guard.ts";
import { Lock } from "../durable/lock.ts";
import { replaceFile } from "../durable/replace-file.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import { tolerating } from "../world/errno.ts";
import type { Files, Folder, Stat } from "../world/files.ts";
import { Tree } from "../world/tree.ts";
import type { Archive, KeptLines } from "./archive.ts";
import { BoundedLines, lineBounds } from "./bounded-lines.ts";

const runsPath = ".coxswain/runs";
/** Replies are capped far below; a log of outputs may be long. */
const bytesMax = 1 << 28;

export class RunFolder implements Archive {
  private constructor(
    private readonly tree: Tree,
    readonly run: string,
  ) {}

  /** Made when it is not there, durably, and ignored by the user's git. */
  static async make(files: Files, root: string, run: string): Promise<RunFolder> {
    const tree = Tree.open(guard(files), root);
    tree.make(".coxswain");
    const runs = tree.make(runsPath);
    if (!tree.files.stat(runs, ".gitignore"))
      await replaceFile({ files: tree.files, folder: runs, name: ".gitignore", bytes: encodeUtf8("*\n") });
    const folder = new RunFolder(tree, run);
    const own = tree.make(folder.#path);
    tree.make(`${folder.#path}/inbox`);
    const above = tree.folder(".coxswain");
    await tree.files.syncAll([tree.root, ...(above ? [above] : []), runs, own]);
    return folder;
  }

  /** Nothing when there is no such run. */
  static open(files: Files, root: string, run: string): RunFolder | undefined {
    const tree = Tree.open(guard(files), root);
    const folder = new RunFolder(tree, run);
    if (tree.folder(folder.#path)) return folder;
    tree.close();
    return undefined;
  }

  /** For whoever begins one: held by one process at a time; nothing when that did not come to pass in time. */
  static async lockAll(
    files: Files,
    root: string,
    waitMs: number,
  ): Promise<Pick<Lock, "release"> | undefined> {
    const tree = Tree.open(guard(files), root);
    tree.make(".coxswain");
    const folder = tree.make(runsPath);
    const hint = `process ${process.pid}`;
    const lock = await Lock.takeWithin({ files: tree.files, folder, name: ".begin.lock", hint, waitMs });
    if (!lock) tree.close();
    return (
      lock && {
        release() {
          lock.release();
          tree.close();
        },
      }
    );
  }

  /**
   * Those that have begun, the one that began last first: the order stays whatever happens in them, so that a command
   * without a name is about the same run as the one before it.
   */
  static list(files: Files, root: string): string[] {
    const begun = logsBelow(files, root);
    return begun.sort(([, one], [, other]) => Number(other.began - one.began)).map(([run]) => run);
  }

  /** Of each that has begun, something that is another when more was recorded. */
  static stamps(files: Files, root: string): ReadonlyMap<string, string> {
    return new Map(
      logsBelow(files, root).map(([run, { inode, size, modified }]) => [run, `${inode} ${size} ${modified}`]),
    );
  }

  get #path(): string {
    return `${runsPath}/${this.run}`;
  }

  /** Where it is, for messages and for the journal. */
  get path(): string {
    return `${this.tree.files.pathOf(this.tree.root)}/${this.#path}`;
  }

  async keep(name: string, bytes: Uint8Array): Promise<void> {
    const { files } = this.tree;
    const path = `${this.#path}/${name}`;
    const cut = path.lastIndexOf("/");
    const folder = this.#make(path.slice(0, cut));
    await replaceFile({ files, folder, name: path.slice(cut + 1), bytes });
    files.sync(folder);
  }

  lines(name: string, gap: (words: string) => string): KeptLines {
    const path = `${this.#path}/${name}`;
    const cut = path.lastIndexOf("/");
    return new BoundedLines({
      files: this.tree.files,
      folder: this.#make(path.slice(0, cut)),
      name: path.slice(cut + 1),
      bounds: lineBounds,
      gap,
    });
  }

  /** With the folders above it. */
  #make(path: string): Folder {
    const known = this.tree.folder(path);
    if (known) return known;
    const cut = path.lastIndexOf("/");
    if (cut !== -1) this.#make(path.slice(0, cut));
    return this.tree.make(path);
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
    const place = this.tree.parent(`${this.#path}/${name}`);
    if (place) tolerating("ENOENT", () => this.tree.files.unlink(place.folder, place.name));
  }

  close(): void {
    this.tree.close();
  }
}

interface Log extends Stat {
  /** When its plan was copied, which is never written again. */
  readonly began: Stat["modified"];
}

function logsBelow(files: Files, root: string): [run: string, log: Log][] {
  const tree = Tree.open(files, root);
  try {
    return tree.list(runsPath).flatMap((run): [string, Log][] => {
      if (tree.stat(`${runsPath}/${run}`)?.kind !== "folder") return [];
      const log = tree.stat(`${runsPath}/${run}/events.jsonl`);
      if (!log) return [];
      const plan = tree.stat(`${runsPath}/${run}/plan.md`);
      return [[run, { ...log, began: (plan ?? log).modified }]];
    });
  } finally {
    tree.close();
  }
}
