/** What a server needs to serve: the tools it offers, what they work on, and whom it tells of trouble. */
import type { Author } from "../document/store.ts";
import type { Problem } from "../std/problem.ts";
import type { Runs } from "./runs.ts";
import type { ServerLog } from "./server-log.ts";
import type { Tool, ToolContext } from "./tool.ts";

export interface ServerMeans {
  /** Of the groups that were asked for. */
  readonly tools: readonly Tool[];
  /** What every call is handed, besides who calls. */
  readonly base: ToolBase;
  readonly runs: Runs;
  readonly door: Author["door"];
  readonly version: string;
  readonly log: ServerLog;
  /** What was thrown, as a problem to tell. */
  problemOf(thrown: unknown): Problem;
}

export type ToolBase = Omit<ToolContext, "author" | "signal" | "session" | "person" | "seen">;
