/**
 * A tool as plain data: what clients are told of it, what it takes and gives, and what it does.
 *
 * A tool adds no rule: it translates arguments into a call and what comes back into an answer.
 */
import type { z } from "zod";
import type { SeenDocuments } from "../document/seen-documents.ts";
import type { Author, DocumentStore } from "../document/store.ts";
import type { Entering } from "../runtime/enter-run.ts";
import type { Problem } from "../std/problem.ts";
import type { SessionMemory } from "../task/session-memory.ts";
import type { VerifyHere } from "../task/verify-here.ts";
import type { Workflows } from "../task/workflows.ts";
import type { Chance } from "../world/chance.ts";
import type { Clock } from "../world/clock.ts";
import type { Files } from "../world/files.ts";

export const toolGroups = ["tasks", "documents", "files", "run"] as const;
export type ToolGroup = (typeof toolGroups)[number];

export interface Tool<In extends z.ZodType = z.ZodType, Out extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly group: ToolGroup;
  readonly title: string;
  /** When to use it; a sentence or two, since every client pays for it in every conversation. */
  readonly description: string;
  readonly does: Annotations;
  /** Strict: a key that nobody reads is a mistake that nobody sees. */
  readonly input: In;
  readonly output: Out;
  /** Words that are often tried for an argument, and what to call instead. */
  readonly instead?: Readonly<Record<string, string>>;
  call(given: z.output<In>, context: ToolContext): Promise<Answer<z.input<Out>>>;
}

/** In the protocol's words. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
}

export type Answer<Data> =
  | { readonly data: Data; readonly text: string }
  /** What is wrong, all of it at once. */
  | { readonly problems: readonly Problem[] };

/** What a tool is handed with every call. */
export interface ToolContext {
  readonly store: DocumentStore;
  /** What this client was shown of documents and wrote there. */
  readonly seen: SeenDocuments;
  readonly workflows: Workflows;
  /** Runs what a task is verified by. */
  readonly verify: VerifyHere;
  /** The client that calls. */
  readonly author: Author;
  /** The repository. */
  readonly root: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly runs: RunMeans;
  readonly signal: AbortSignal;
  /** Of the connection; nothing where each request comes alone. */
  readonly session?: SessionMemory | undefined;
  /** Asks the person in front of the client; nothing where the client cannot ask. */
  readonly person?: AskPerson;
}

/** What is needed to decide something about a run, in the name of the person who was asked. */
export interface RunMeans extends Omit<Entering, "root" | "run" | "typed"> {
  /** Who decides, for the record. */
  readonly user: string;
}

export interface AskPerson {
  /** Nothing when the person would not say. */
  choose(question: string, choices: readonly string[]): Promise<string | undefined>;
  write(question: string): Promise<string | undefined>;
}

/** Keeps the types of a tool together while it is written down. */
export function tool<In extends z.ZodType, Out extends z.ZodType>(one: Tool<In, Out>): Tool<In, Out> {
  return one;
}
