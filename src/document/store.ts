/**
 * The port to the document store: anybody may read at any time, one writer at a time may change.
 *
 * The files are the truth. The history of who changed what goes with them: there is never one without the other, even
 * after a crash. A reader sees every document either before or after a change, never in between.
 */
import type { Splice } from "../plan/edit/splice.ts";
import type { Problem } from "../std/problem.ts";
import type { DocumentPath } from "./address.ts";
import type { Document } from "./document.ts";

export interface DocumentStore extends Library {
  /**
   * Calls `decide` with the current documents and applies its edits, all or none; durable when it resolves. `decide`
   * may be called again if somebody else (an editor, say) wrote in the meantime, so it must only read and answer.
   */
  change<T>(author: Author, decide: (now: Library & { readonly at: string }) => StoreDecision<T>): Promise<T>;
  /**
   * Like `list`, but costs only as much as what changed, if the system reports changes. It includes everything written
   * before the call; the rare change that the system does not report shows up some seconds later. Returns the identical
   * list while nothing changed.
   */
  listing(): Promise<readonly DocumentEntry[]>;
  /** Oldest first. */
  history(): readonly Deed[];
  /** Called with the paths that this store or another process changed, some time after the change. */
  watch(listener: (paths: readonly DocumentPath[]) => void): () => void;
  close(): Promise<void>;
}

/** What a reader sees. */
export interface Library {
  read(path: DocumentPath): ReadDocument;
  /** Documents in `docs/`, sorted by path. */
  list(): readonly DocumentEntry[];
  /** Documents in `/archived/`, sorted by path. */
  archive(): readonly DocumentEntry[];
}

/** Both are missing if there is no such document. */
export interface ReadDocument {
  readonly document?: Document;
  /** The file exists, but is not text that we can edit: not UTF-8, too large, a link, a folder. */
  readonly problem?: Problem;
}

export interface DocumentEntry {
  readonly path: DocumentPath;
  readonly size: number;
  /** Changes whenever the file is written: equal stamps mean equal content. */
  readonly stamp: string;
}

/** Who changes something: a person at a terminal, or a client of the MCP server. */
export interface Author {
  /** `claude-code 2.1.325`, or the name of the user. */
  readonly name: string;
  readonly door: "terminal" | "mcp-stdio" | "mcp-http";
}

export type StoreDecision<T> =
  | { readonly answer: T; readonly edits?: undefined }
  | { readonly answer: T; readonly edits: readonly DocumentEdit[]; readonly done: ChangeSummary };

export type DocumentEdit =
  /** No document of that name may exist yet. */
  | { readonly do: "create"; readonly path: DocumentPath; readonly text: string }
  | { readonly do: "splice"; readonly path: DocumentPath; readonly splices: readonly Splice[] }
  | { readonly do: "remove"; readonly path: DocumentPath };

/** What was done, in the words of whoever asked for it. */
export interface ChangeSummary {
  /** The tool or command: `complete_coordinator_task`, `cox task done`. */
  readonly tool: string;
  /** A line for people: "completed #write-the-parser". */
  readonly about: string;
  readonly tasks?: readonly {
    readonly document: DocumentPath;
    readonly slug: string;
    readonly status: string;
  }[];
  /** The number of the change that this one undoes. */
  readonly undoes?: number;
}

/** An entry of the history. */
export interface Deed extends ChangeSummary {
  /** The permanent number of the change; numbers may have gaps. */
  readonly number: number;
  readonly at: string;
  readonly by: Author;
  readonly files: readonly {
    readonly path: DocumentPath;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}
