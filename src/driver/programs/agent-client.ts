/**
 * Describes one agent program (Claude Code, Codex, …) as data and pure functions: how to start it, which of the user's
 * variables it uses, and what each event that it prints means.
 *
 * Nothing here runs anything. These programs change weekly, so each one's peculiarities are only in its own file.
 */
import type { FailureCode, TurnServer, Usage } from "../driver.ts";
import type { GivenEnvironment, ProgramHome } from "./program-home.ts";

export interface AgentClient {
  /** Its name in the configuration. */
  readonly name: string;
  /** The name that people use. */
  readonly title: string;
  /** Looked up in PATH, unless the agent's `command:` names another. */
  readonly program: string;
  /** How a person installs it, and how to sign in. */
  readonly install: string;
  readonly signIn: string;
  /**
   * The user's variables that it documents as its own: a name, or a prefix followed by `*`; a leading `!` excludes a
   * name.
   */
  readonly variables: readonly string[];
  /** Matches what it says when asked to resume a conversation that it does not know. */
  readonly sessionLost: RegExp;
  /** Whether it reports the cost of a turn. */
  readonly tellsCost?: boolean;
  /** Which parts of its own folders must outlast a turn. */
  home(environment: GivenEnvironment, desk: string): ProgramHome;
  start(options: ClientStartOptions): ClientStart;
  signalsOf(event: ClientEvent, where: ClientPlace): readonly ClientSignal[];
  /** What a line of its stderr reports as wrong when waiting is pointless: the program is then ended. */
  givesUp?(line: string): Trouble | undefined;
}

export interface ClientPlace {
  readonly desk: string;
  /** The conversation it resumes. */
  readonly resume?: string;
}

export interface ClientStartOptions {
  readonly model: string | undefined;
  /** It judges or proposes, and changes nothing. */
  readonly isReadOnly: boolean;
  readonly resume?: string;
  readonly server?: TurnServer;
  readonly scratch: string;
  /** Its whole environment, except for what `ClientStart` adds. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface ClientStart {
  /** Come after the program's name and before the user's arguments. */
  readonly args: readonly string[];
  /** Come after the user's arguments, so that none of them can override these. */
  readonly lastArgs?: readonly string[];
  /** Set unless the user's own environment sets them. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Always set. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Files for the turn's scratch folder: texts by their paths in it. */
  readonly files?: Readonly<Record<string, string>>;
  /** Mirrors for the scratch folder, made before the files. */
  readonly mirrors?: readonly Mirror[];
}

/**
 * A folder with links to the content of one of the user's folders, so that we can add something to it that is not the
 * user's.
 */
export interface Mirror {
  readonly of: string;
  /** Path in the scratch folder. */
  readonly at: string;
  /** Names to link; all of them by default. */
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  /**
   * Folders that the program would create itself if missing. They are made in the user's folder, or their content would
   * be lost.
   */
  readonly makes?: readonly string[];
  /**
   * Names that the program itself may create or replace for the user: moved to the user's folder after the turn.
   * Everything else stays behind.
   */
  readonly bringsHome?: readonly string[];
}

/** A line of its output that is a JSON object; its shape is never trusted. */
export type ClientEvent = Readonly<Record<string, unknown>>;

export type ClientSignal =
  | { readonly kind: "session"; readonly id: string }
  /** `toolUse` is the program's own id for the tool call, which it may report more than once. */
  | { readonly kind: "action"; readonly words: string; readonly toolUse?: string }
  /** A whole message; the last one is the reply. */
  | { readonly kind: "message"; readonly text: string }
  /** A piece of a message, which continues until another signal comes. */
  | { readonly kind: "piece"; readonly text: string }
  /** For the whole turn so far, or for one more step. */
  | { readonly kind: "usage"; readonly usage: Usage; readonly of: "turn" | "step" }
  /** Its counters over the whole conversation, so that a later turn knows what was used before it. */
  | { readonly kind: "counters"; readonly counters: readonly number[] }
  /** When a limit that it reached will be lifted, in seconds since 1970. */
  | { readonly kind: "limit"; readonly resetsAt: number }
  /** The event that ends a turn well; `text` if it contains the reply itself. */
  | { readonly kind: "complete"; readonly text?: string }
  /** The turn is not over, whatever came before. */
  | { readonly kind: "going-on" }
  /** The event that ends a turn badly. */
  | { readonly kind: "trouble"; readonly trouble: Trouble };

/** What a client reports as wrong. */
export interface Trouble {
  readonly message: string;
  /** The HTTP status. */
  readonly status?: number;
  /** How long its server asked it to wait, if the client passes that on. */
  readonly retryAfterMs?: number;
  /** Our failure code, if the client itself makes clear which one it is. */
  readonly code?: FailureCode;
}
