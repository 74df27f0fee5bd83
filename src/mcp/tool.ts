/**
 * A tool as plain data: what clients see of it, its input and output, and what it does.
 *
 * A tool adds no rules: it translates arguments into a call, and the result into an answer.
 */
import type { z } from "zod";
import type { SeenDocuments } from "../document/seen-documents.ts";
import type { Author, DocumentStore } from "../document/store.ts";
import type { EnterRunOptions } from "../runtime/start/enter-run.ts";
import type { Problem } from "../std/problem.ts";
import type { SessionMemory } from "../task/session/session-memory.ts";
import type { VerifyHere } from "../task/work/verify-here.ts";
import type { Workflows } from "../task/workflow/workflows.ts";
import type { Chance } from "../world/chance.ts";
import type { Files } from "../world/files/files.ts";
import type { Clock } from "../world/time/clock.ts";

export const toolGroups = ["tasks", "documents", "files", "run"] as const;
export type ToolGroup = (typeof toolGroups)[number];

export interface Tool<In extends z.ZodType = z.ZodType, Out extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly group: ToolGroup;
  readonly title: string;
  /** When to use it, in a sentence or two: every client pays for it in every conversation. */
  readonly description: string;
  readonly does: Annotations;
  /** Strict: a key that nothing reads would be an unnoticed mistake. */
  readonly input: In;
  readonly output: Out;
  /** Words that are often tried for an argument, and what to call instead. */
  readonly instead?: Readonly<Record<string, string>>;
  call(given: z.output<In>, context: ToolContext): Promise<Answer<z.input<Out>>>;
}

/** In the protocol's terms. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
}

export type Answer<Data> =
  | {
      readonly data: Data;
      readonly text: string;
      /** What is wrong with the subject of the answer: shown first, and the call counts as failed. */
      readonly errors?: readonly Problem[];
    }
  /** Everything that is wrong, at once. */
  | { readonly problems: readonly Problem[] };

/** What a tool receives with every call. */
export interface ToolContext {
  readonly store: DocumentStore;
  /** What this client saw of documents and wrote to them. */
  readonly seen: SeenDocuments;
  readonly workflows: Workflows;
  /** Runs a task's verify commands. */
  readonly verify: VerifyHere;
  /** The calling client. */
  readonly author: Author;
  /** The repository. */
  readonly root: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly runs: RunDecisionPorts;
  readonly signal: AbortSignal;
  /** The memory of the connection; missing if each request stands alone. */
  readonly session?: SessionMemory | undefined;
  /** Asks the person in front of the client; missing if the client cannot ask. */
  readonly person?: AskPerson;
}

/** What is needed to decide something about a run on behalf of the person who was asked. */
export interface RunDecisionPorts extends Omit<EnterRunOptions, "root" | "run" | "typed"> {
  /** Who decides, for the log. */
  readonly user: string;
}

export interface AskPerson {
  /** Undefined if the person did not answer. */
  choose(question: string, choices: readonly string[]): Promise<string | undefined>;
  write(question: string): Promise<string | undefined>;
}

/** Keeps a tool's types consistent where it is defined. */
export function tool<In extends z.ZodType, Out extends z.ZodType>(one: Tool<In, Out>): Tool<In, Out> {
  return one;
}
