/**
 * The contents of the document folders, re-read only where something may have changed.
 *
 * Kernel notifications ("signs") say where. They are trusted for a few seconds only, and only where they arrive
 * promptly. A folder without notifications, or with a file that is hard-linked elsewhere, is read every time. Without
 * any notifications, every folder is.
 */

import { type DocumentPath, fileOf, readAddress } from "../document/address.ts";
import type { DocumentEntry } from "../document/store.ts";
import type { Stat } from "../world/files/files.ts";
import type { FolderWatch, WatchedFolder } from "../world/folders/folder-watch.ts";
import type { Tree } from "../world/folders/tree.ts";
import { TreeError } from "../world/folders/tree-error.ts";
import type { Clock } from "../world/time/clock.ts";

export const documentsFolder = ".coxswain";

/** The folders that hold documents; they are siblings. */
export const tops = ["docs", "coordinator", "archived"] as const;
export type Top = (typeof tops)[number];

/** The contents of a folder. Reading it again without finding a change keeps the identical object. */
export interface FolderContents {
  readonly documents: ReadonlyMap<DocumentPath, DocumentEntry>;
  /** Paths below the root, with their inodes. */
  readonly folders: ReadonlyMap<string, number>;
}

/** What may be assumed without reading a folder. */
export interface SnapshotTrust {
  /** How long notifications are trusted before everything is read again. */
  readonly trustMs: number;
  /** Late notifications are good enough. */
  readonly isPatient: boolean;
}

export const noTrust: SnapshotTrust = { trustMs: 0, isPatient: false };

/** Some writes cause no notification, such as those through mapped memory. They are noticed after this time. */
export const usualTrust: SnapshotTrust = { trustMs: 10_000, isPatient: false };

/** For a caller that only wants to hear about changes. */
export const patientTrust: SnapshotTrust = { trustMs: Number.POSITIVE_INFINITY, isPatient: true };

/** The kernel queues about ten thousand unread notifications. When very many arrive, some may be lost. */
const signsMax = 1_000;

interface Looked {
  readonly contents: FolderContents;
  readonly files: ReadonlyMap<string, SeenFile>;
  readonly signs: WatchedFolder | undefined;
  /** A file in it has another name as well and may be written through that name. */
  readonly hasLinks: boolean;
}

interface SeenFile {
  readonly stat: Stat;
  /** Undefined if no document can have that name. */
  readonly entry: DocumentEntry | undefined;
}

interface WatchSubscription {
  readonly folders: FolderWatch;
  readonly heard: () => void;
}

/**
 * Resolves once notifications for everything written before the call have arrived, in folders where they are prompt.
 */
export async function notificationsArrived(): Promise<void> {
  // The event loop fetches notifications once per iteration, and may already have done so in this one.
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export class FolderSnapshots {
  /** Keyed by the path below the root; "" is the root. */
  readonly #looked = new Map<string, Looked>();
  readonly #due = new Set<string>();
  readonly #lists = new Map<Top, List>();
  #hearing: WatchSubscription | undefined;
  #signs = 0;

  constructor(
    private readonly tree: Tree,
    private readonly clock: Clock,
  ) {}

  /** Starts listening for notifications; `heard` is called for each one. */
  hear(folders: FolderWatch, heard: () => void): void {
    this.stopHearing();
    this.#hearing = { folders, heard };
  }

  stopHearing(): void {
    this.#hearing = undefined;
    this.#forget("");
  }

  /** The documents below a folder, sorted by path. The identical list as long as nothing changed. */
  below(top: Top, trust: SnapshotTrust): readonly DocumentEntry[] {
    const list = this.#lookBelow(top, trust);
    if (list.entries) return list.entries;
    const inside = `${documentsFolder}/${top}`;
    const found: DocumentEntry[] = [];
    for (const [folder, { contents }] of this.#looked)
      if (folder === inside || folder.startsWith(`${inside}/`)) found.push(...contents.documents.values());
    list.entries = found.sort((one, other) => (one.path < other.path ? -1 : 1));
    return list.entries;
  }

  /** Every folder with its contents. */
  all(trust: SnapshotTrust): ReadonlyMap<string, FolderContents> {
    for (const top of tops) this.#lookBelow(top, trust);
    return new Map([...this.#looked].map(([folder, { contents }]) => [folder, contents]));
  }

  /** Whether every folder gives notifications, even if some come late. */
  get isNotifiedOfAll(): boolean {
    return [...this.#looked.values()].every(({ signs }) => signs !== undefined);
  }

  #lookBelow(top: Top, { trustMs, isPatient }: SnapshotTrust): List {
    if (this.#signs >= signsMax) this.#trustNothing();
    const list = this.#lists.get(top) ?? { lookedAt: never };
    this.#lists.set(top, list);
    const now = this.clock.now();
    const age = now - list.lookedAt;
    const isTrusting = age >= 0 && age < trustMs;
    if (!isTrusting) list.lookedAt = now;
    this.#visit("", { top, isTrusting, isPatient });
    return list;
  }

  #trustNothing(): void {
    this.#signs = 0;
    for (const list of this.#lists.values()) list.lookedAt = never;
  }

  #visit(folder: string, visit: Visit): void {
    const known = this.#looked.get(folder);
    const looked = known && this.#isBelieved(folder, known, visit) ? known : this.#look(folder);
    for (const below of looked?.contents.folders.keys() ?? [])
      if (topOf(below) === undefined || topOf(below) === visit.top) this.#visit(below, visit);
  }

  #isBelieved(folder: string, { signs, hasLinks }: Looked, { isTrusting, isPatient }: Visit): boolean {
    if (!isTrusting || !signs || this.#due.has(folder)) return false;
    return isPatient || (signs.isPrompt && !hasLinks);
  }

  /** Undefined if there is no such folder. */
  #look(folder: string): Looked | undefined {
    const known = this.#looked.get(folder);
    // Listen before reading, so that a change during the read is reported. Listen again after a notification: it may
    // have been the last one, for a folder that was removed and then created again with the same inode.
    const signs = this.#due.has(folder) ? this.#listenTo(folder) : (known?.signs ?? this.#listenTo(folder));
    this.#due.delete(folder);
    const seen = see(this.tree, folder, known);
    if (!seen) {
      signs?.stop();
      this.#forget(folder);
      return undefined;
    }
    for (const [below, inode] of known?.contents.folders ?? [])
      if (seen.contents.folders.get(below) !== inode) this.#forget(below);
    const contents = known && isSame(known.contents, seen.contents) ? known.contents : seen.contents;
    if (contents !== known?.contents) this.#renew(folder);
    if (known?.signs !== signs) known?.signs?.stop();
    const looked = { ...seen, contents, signs };
    this.#looked.set(folder, looked);
    return looked;
  }

  #listenTo(folder: string): WatchedFolder | undefined {
    const { tree } = this;
    return this.#hearing?.folders.watch(folder === "" ? tree.path : `${tree.path}/${folder}`, () => {
      this.#due.add(folder);
      this.#signs += 1;
      this.#hearing?.heard();
    });
  }

  /** Includes everything below it. */
  #forget(folder: string): void {
    for (const [one, { signs }] of this.#looked) {
      if (one !== folder && folder !== "" && !one.startsWith(`${folder}/`)) continue;
      signs?.stop();
      this.#looked.delete(one);
      this.#due.delete(one);
      this.#renew(one);
    }
  }

  #renew(folder: string): void {
    const list = this.#lists.get(topOf(folder) ?? "docs");
    if (list) delete list.entries;
  }
}

interface Visit extends Pick<SnapshotTrust, "isPatient"> {
  readonly top: Top;
  readonly isTrusting: boolean;
}

const never = Number.NEGATIVE_INFINITY;

interface List {
  /** When everything was last read without trusting anything. */
  lookedAt: number;
  /** Missing if something changed since. */
  entries?: readonly DocumentEntry[];
}

/** Undefined if there is no such folder. */
function see(tree: Tree, folder: string, known: Looked | undefined): Omit<Looked, "signs"> | undefined {
  const files = new Map<string, SeenFile>();
  const folders = new Map<string, number>();
  const documents = new Map<DocumentPath, DocumentEntry>();
  let hasLinks = false;
  try {
    if (!tree.hasFolder(folder)) return undefined;
    for (const name of namesIn(tree, folder)) {
      const below = folder === "" ? name : `${folder}/${name}`;
      const stat = tree.stat(below);
      if (stat?.kind === "folder") folders.set(below, stat.inode);
      if (stat?.kind !== "file") continue;
      const file = seenFile(below, stat, known?.files.get(name));
      files.set(name, file);
      hasLinks ||= stat.links > 1;
      if (file.entry) documents.set(file.entry.path, file.entry);
    }
    return { contents: { documents, folders }, files, hasLinks };
  } catch (error) {
    // A link, a mount point, or an unreadable folder: none of our documents are in it.
    if (!(error instanceof TreeError)) throw error;
    return undefined;
  }
}

/** Above the document folders, only the path down to them matters. */
function namesIn(tree: Tree, folder: string): readonly string[] {
  if (folder === "") return [documentsFolder];
  return folder === documentsFolder ? tops : tree.list(folder);
}

function seenFile(below: string, stat: Stat, known: SeenFile | undefined): SeenFile {
  if (known && isSameFile(known.stat, stat)) return known;
  const path = known ? known.entry?.path : pathOf(below.slice(documentsFolder.length + 1));
  return { stat, entry: path && { path, size: stat.size, stamp: stampOf(stat) } };
}

function isSameFile(one: Stat, other: Stat): boolean {
  return one.modified === other.modified && one.inode === other.inode && one.size === other.size;
}

function isSame(one: FolderContents, other: FolderContents): boolean {
  return (
    one.documents.size === other.documents.size &&
    one.folders.size === other.folders.size &&
    [...other.folders].every(([folder, inode]) => one.folders.get(folder) === inode) &&
    [...other.documents.values()].every((entry) => one.documents.get(entry.path) === entry)
  );
}

function topOf(folder: string): Top | undefined {
  const name = folder.split("/", 2)[1];
  return tops.find((top) => top === name);
}

export function stampOf({ inode, size, modified }: Stat): string {
  return `${inode}-${size}-${modified}`;
}

/** Undefined if no document can have that name. */
function pathOf(file: string): DocumentPath | undefined {
  const read = readAddress(`/${file}`);
  if ("problem" in read || read.address.slug !== undefined) return undefined;
  return fileOf(read.address.path) === file ? read.address.path : undefined;
}
