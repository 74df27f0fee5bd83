/**
 * Reads documents without a lock. Each is read once and reused while its file looks unchanged.
 *
 * A file read right after it was written could be written again within the same clock tick and look unchanged. Until it
 * has settled, it is read again each time, and only its parsed form is reused.
 */
import { isUtf8 } from "node:buffer";
import { fileBytesMax } from "../change/limits.ts";
import { type DocumentPath, fileOf } from "../document/address.ts";
import { Document } from "../document/document.ts";
import type { DocumentEntry, Library, ReadDocument } from "../document/store.ts";
import type { Problem } from "../std/problem.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import type { Stat } from "../world/files/files.ts";
import type { Tree } from "../world/folders/tree.ts";
import { TreeError } from "../world/folders/tree-error.ts";
import type { Clock } from "../world/time/clock.ts";
import {
  documentsFolder,
  FolderSnapshots,
  noTrust,
  type SnapshotTrust,
  stampOf,
} from "./folder-snapshots.ts";

/** The kernel counts file times in ticks of up to 10 ms. */
const settledMs = 25;

/** Text kept in memory, in UTF-16 units. A document larger than this is kept as the only one. */
const keptMax = 32 * 1024 * 1024;

export class Shelf implements Library {
  readonly snapshots: FolderSnapshots;
  readonly #kept = new Map<DocumentPath, Kept>();
  #keptLength = 0;
  #isFresh = false;
  /** Counts iterations of the event loop. Within one, a file that looks unchanged is not read again. */
  #round = 0;

  constructor(
    private readonly tree: Tree,
    private readonly clock: Clock,
  ) {
    this.snapshots = new FolderSnapshots(tree, clock);
  }

  read(path: DocumentPath): ReadDocument {
    this.freshen();
    try {
      const stat = this.tree.stat(filePath(path));
      const kept = this.#kept.get(path);
      if (!stat) this.forget(path);
      if (!stat) return {};
      const isBelieved =
        kept && kept.stamp === stampOf(stat) && (kept.round === this.#round || isSettled(kept, stat));
      if (isBelieved) return { document: kept.document };
      return this.#readAnew(path, kept);
    } catch (error) {
      if (!(error instanceof TreeError)) throw error;
      this.forget(path);
      return { problem: { ...error.problem, path, ...hintFor(error.problem.code) } };
    }
  }

  list(trust: SnapshotTrust = noTrust): readonly DocumentEntry[] {
    this.freshen();
    return this.snapshots.below("docs", trust);
  }

  archive(): readonly DocumentEntry[] {
    this.freshen();
    return this.snapshots.below("archived", noTrust);
  }

  /** Keeps a document that we have just put in place. */
  keep(document: Document, stat: Stat): void {
    this.forget(document.path);
    this.#kept.set(document.path, { document, stamp: stampOf(stat), seenAt: this.clock.now(), round: -1 });
    this.#keptLength += document.length;
    for (const [path, { document: old }] of this.#kept) {
      if (this.#keptLength <= keptMax || old === document) return;
      this.forget(path);
    }
  }

  /** The stamp of a document that we have read or put in place. */
  stamp(path: DocumentPath): string | undefined {
    return this.#kept.get(path)?.stamp;
  }

  #readAnew(path: DocumentPath, kept: Kept | undefined): ReadDocument {
    const seenAt = this.clock.now();
    const round = this.#round;
    const found = this.tree.read(filePath(path), fileBytesMax);
    if (!found) return {};
    const { bytes, stat } = found;
    if (kept && isMadeOf(bytes, kept.document.encoded)) {
      this.#kept.set(path, { ...kept, stamp: stampOf(stat), seenAt, round });
      return { document: kept.document };
    }
    if (!isUtf8(bytes)) return { problem: notText(path) };
    const document = Document.of(path, decodeUtf8(bytes));
    this.keep(document, stat);
    this.#kept.set(path, { document, stamp: stampOf(stat), seenAt, round });
    return { document };
  }

  forget(path: DocumentPath): void {
    this.#keptLength -= this.#kept.get(path)?.document.length ?? 0;
    this.#kept.delete(path);
  }

  /** Folders opened by the tree walk are reused in one event loop iteration only: somebody may move or replace them. */
  freshen(): void {
    if (this.#isFresh) return;
    this.#isFresh = true;
    this.#round += 1;
    this.tree.release();
    setImmediate(() => {
      this.#isFresh = false;
    });
  }
}

interface Kept {
  readonly document: Document;
  readonly stamp: string;
  /** Wall time just before it was read. */
  readonly seenAt: number;
  /** The event loop iteration in which it was read. */
  readonly round: number;
}

function isMadeOf(bytes: Uint8Array, pieces: readonly Uint8Array[]): boolean {
  let at = 0;
  for (const piece of pieces) {
    if (Buffer.compare(bytes.subarray(at, at + piece.length), piece) !== 0) return false;
    at += piece.length;
  }
  return at === bytes.length;
}

/** The path below the root. */
export function filePath(path: DocumentPath): string {
  return `${documentsFolder}/${fileOf(path)}`;
}

/**
 * The modification time we give a file we write. It lies far enough back that the next write falls into another tick,
 * so we need not read back what we wrote; but it is later than that of the file it replaces.
 */
export function settledTime(nowMs: number, replaced: Stat | undefined): number {
  const past = nowMs - 2 * settledMs;
  return replaced ? Math.max(past, millisecondsOf(replaced) + 1) : past;
}

function isSettled({ seenAt }: Kept, { modified }: Stat): boolean {
  return millisecondsOf({ modified }) + settledMs < seenAt;
}

function millisecondsOf({ modified }: Pick<Stat, "modified">): number {
  return Number(modified / 1_000_000n);
}

/** The general hints for files are meant for agents that edit files; here we give others. */
function hintFor(code: string): { readonly hint?: string } {
  if (code === "LIMIT_FILE")
    return {
      hint: "Split it into several documents with an editor; larger ones are neither read nor changed here.",
    };
  return code === "PATH_IS_DIRECTORY" ? { hint: "Name a document in it; browse_documents shows them." } : {};
}

function notText(path: DocumentPath): Problem {
  return {
    code: "DOC_NOT_TEXT",
    path,
    message: `${path} is not text in UTF-8`,
    hint: "Save it as UTF-8 in an editor, or move it out of the documents.",
  };
}
