/**
 * What lies in the folders of the documents, looked at again where something may have changed.
 *
 * Signs from the kernel say where. They are believed for some seconds only, and only where they come promptly: a folder
 * that gives none, and one with a file that has other names elsewhere, are looked at each time. Without signs all are.
 */

import { type DocumentPath, fileOf, readAddress } from "../document/address.ts";
import type { DocumentEntry } from "../document/store.ts";
import type { Clock } from "../world/clock.ts";
import type { Stat } from "../world/files.ts";
import type { FolderWatch, WatchedFolder } from "../world/folder-watch.ts";
import { type Tree, TreeError } from "../world/tree.ts";

export const documentsFolder = ".coxswain";

/** Folders of documents, beside each other. */
export const tops = ["docs", "coordinator", "archived"] as const;
export type Top = (typeof tops)[number];

/** What a folder holds. A look that finds nothing new leaves the very same value. */
export interface Contents {
  readonly documents: ReadonlyMap<DocumentPath, DocumentEntry>;
  /** By their paths below the root, with their inodes. */
  readonly folders: ReadonlyMap<string, number>;
}

/** What is believed without a look. */
export interface Trust {
  /** How long signs are believed before everything is looked at again. */
  readonly trustMs: number;
  /** Signs that may come late will do. */
  readonly isPatient: boolean;
}

export const noTrust: Trust = { trustMs: 0, isPatient: false };

/** What no sign tells of, such as a file that is written through memory, is found so long after it was done. */
export const usualTrust: Trust = { trustMs: 10_000, isPatient: false };

/** For who is told of changes and nothing else. */
export const patientTrust: Trust = { trustMs: Number.POSITIVE_INFINITY, isPatient: true };

/** A kernel keeps some ten thousand signs that nobody has fetched. Where so many come, some may be lost. */
const signsMax = 1_000;

interface Looked {
  readonly contents: Contents;
  readonly files: ReadonlyMap<string, SeenFile>;
  readonly signs: WatchedFolder | undefined;
  /** A file in it has another name too, and may be written by that one. */
  readonly hasLinks: boolean;
}

interface SeenFile {
  readonly stat: Stat;
  /** Nothing where no document can have that name. */
  readonly entry: DocumentEntry | undefined;
}

interface Hearing {
  readonly folders: FolderWatch;
  readonly heard: () => void;
}

/** Resolves when the signs of whatever was written before the call were heard, of folders where they come promptly. */
export async function signsHeard(): Promise<void> {
  // The loop fetches signs once a turn, and may have done so in this one already.
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export class FolderLooks {
  /** By their paths below the root; "" is the root. */
  readonly #looked = new Map<string, Looked>();
  readonly #due = new Set<string>();
  readonly #lists = new Map<Top, List>();
  #hearing: Hearing | undefined;
  #signs = 0;

  constructor(
    private readonly tree: Tree,
    private readonly clock: Clock,
  ) {}

  /** From now on signs are heard; `heard` is called with each. */
  hear(folders: FolderWatch, heard: () => void): void {
    this.stopHearing();
    this.#hearing = { folders, heard };
  }

  stopHearing(): void {
    this.#hearing = undefined;
    this.#forget("");
  }

  /** The documents below a folder, by path. The very same list while nothing changed. */
  below(top: Top, trust: Trust): readonly DocumentEntry[] {
    const list = this.#lookBelow(top, trust);
    if (list.entries) return list.entries;
    const inside = `${documentsFolder}/${top}`;
    const found: DocumentEntry[] = [];
    for (const [folder, { contents }] of this.#looked)
      if (folder === inside || folder.startsWith(`${inside}/`)) found.push(...contents.documents.values());
    list.entries = found.sort((one, other) => (one.path < other.path ? -1 : 1));
    return list.entries;
  }

  /** Every folder with what it holds. */
  all(trust: Trust): ReadonlyMap<string, Contents> {
    for (const top of tops) this.#lookBelow(top, trust);
    return new Map([...this.#looked].map(([folder, { contents }]) => [folder, contents]));
  }

  /** Whether all folders give signs, late ones perhaps. */
  get isToldOfAll(): boolean {
    return [...this.#looked.values()].every(({ signs }) => signs !== undefined);
  }

  #lookBelow(top: Top, { trustMs, isPatient }: Trust): List {
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

  /** Nothing when there is no such folder. */
  #look(folder: string): Looked | undefined {
    const known = this.#looked.get(folder);
    // Before the look: whatever changes during it gives a sign. Anew after a sign, which may have been the last one: of
    // a folder that was removed, and made again with the same inode.
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
    const root = tree.files.pathOf(tree.root);
    return this.#hearing?.folders.watch(folder === "" ? root : `${root}/${folder}`, () => {
      this.#due.add(folder);
      this.#signs += 1;
      this.#hearing?.heard();
    });
  }

  /** With all that lies below it. */
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

interface Visit extends Pick<Trust, "isPatient"> {
  readonly top: Top;
  readonly isTrusting: boolean;
}

const never = Number.NEGATIVE_INFINITY;

interface List {
  /** When nothing was trusted last. */
  lookedAt: number;
  /** Nothing where something changed since. */
  entries?: readonly DocumentEntry[];
}

/** Nothing when there is no such folder. */
function see(tree: Tree, folder: string, known: Looked | undefined): Omit<Looked, "signs"> | undefined {
  const files = new Map<string, SeenFile>();
  const folders = new Map<string, number>();
  const documents = new Map<DocumentPath, DocumentEntry>();
  let hasLinks = false;
  try {
    if (!tree.folder(folder)) return undefined;
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
    // A link, a mount point, a folder that may not be read: nothing of ours is in it.
    if (!(error instanceof TreeError)) throw error;
    return undefined;
  }
}

/** Above the documents only the way to them is of interest. */
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

function isSame(one: Contents, other: Contents): boolean {
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

/** Nothing when no document can have that name. */
function pathOf(file: string): DocumentPath | undefined {
  const read = readAddress(`/${file}`);
  if ("problem" in read || read.address.slug !== undefined) return undefined;
  return fileOf(read.address.path) === file ? read.address.path : undefined;
}
