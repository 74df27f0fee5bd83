/** What a server needs: the tools it offers, what they work on, and where it reports trouble. */
import type { Author } from "../document/store.ts";
import type { Problem } from "../std/problem.ts";
import type { RunLibrary } from "./resources/runs.ts";
import type { ServerLog } from "./server-log.ts";
import type { Tool, ToolContext } from "./tool.ts";

export interface ServerOptions {
  /** The tools of the requested groups. */
  readonly tools: readonly Tool[];
  /** The context of every call, except for who calls. */
  readonly base: ToolBase;
  readonly runs: RunLibrary;
  readonly door: Author["door"];
  readonly version: string;
  readonly log: ServerLog;
  /** Turns a thrown value into a problem to report. */
  problemOf(thrown: unknown): Problem;
}

export type ToolBase = Omit<ToolContext, "author" | "signal" | "session" | "person" | "seen">;
