/**
 * The port to where documents are kept: read by anybody at any time, changed by one writer at a time.
 *
 * The file is the truth; the history of who changed what follows it, and neither is there without the other, also after
 * a crash. A reader finds every document as it was before a change or as it is after it, never half.
 */
import type { Splice } from "../plan/splice.ts";
import type { Problem } from "../std/problem.ts";
import type { DocumentPath } from "./address.ts";
import type { Document } from "./document.ts";

export interface DocumentStore extends Library {
  /**
   * Decides on what is there now and does it, all of it or nothing; durable when it resolves. `decide` may be called
   * again, when somebody else (an editor, say) wrote meanwhile: it must only look and answer.
   */
  change<T>(author: Author, decide: (now: Library & { readonly at: string }) => Decision<T>): Promise<T>;
  /**
   * `list`, at the cost of what changed, where the system tells of changes. What was written before the call is in it;
   * a rare change that the system does not tell of, some seconds later. The very same list while nothing changed.
   */
  listing(): Promise<readonly DocumentEntry[]>;
  /** Oldest first. */
  history(): readonly Deed[];
  /** Called with the paths that somebody changed, this store or another process, some time after it was done. */
  watch(listener: (paths: readonly DocumentPath[]) => void): () => void;
  close(): Promise<void>;
}

/** What a reader sees. */
export interface Library {
  read(path: DocumentPath): ReadDocument;
  /** Those in `docs/`, by path. */
  list(): readonly DocumentEntry[];
  /** Those of `/archived/`, by path. */
  archive(): readonly DocumentEntry[];
}

/** Neither is there where there is no such document. */
export interface ReadDocument {
  readonly document?: Document;
  /** It is there, but is no text that we can edit: not UTF-8, too large, a link, a folder. */
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

export type Decision<T> =
  | { readonly answer: T; readonly edits?: undefined }
  | { readonly answer: T; readonly edits: readonly DocumentEdit[]; readonly done: Done };

export type DocumentEdit =
  /** There must be none of that name yet. */
  | { readonly do: "create"; readonly path: DocumentPath; readonly text: string }
  | { readonly do: "splice"; readonly path: DocumentPath; readonly splices: readonly Splice[] }
  | { readonly do: "remove"; readonly path: DocumentPath };

/** What was done, in the words of the one who asked for it. */
export interface Done {
  /** The tool or command: `complete_coordinator_task`, `cox task done`. */
  readonly tool: string;
  /** A line for people: "completed #write-the-parser". */
  readonly about: string;
  readonly tasks?: readonly {
    readonly document: DocumentPath;
    readonly slug: string;
    readonly status: string;
  }[];
  /** The number of the change that it takes back. */
  readonly undoes?: number;
}

/** An entry of the history. */
export interface Deed extends Done {
  /** Of the change, for ever; not every number is one. */
  readonly number: number;
  readonly at: string;
  readonly by: Author;
  readonly files: readonly {
    readonly path: DocumentPath;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}
