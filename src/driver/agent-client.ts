/**
 * What is known of one agent program (Claude Code, Codex, …), as data and pure functions: how it is started, which of the
 * user's variables are its own, and what each event that it prints means.
 *
 * Nothing here runs anything. These programs change weekly: what is peculiar to one of them stands in its own file only.
 */
import type { FailureCode, TurnServer, Usage } from "./driver.ts";

export interface AgentClient {
  /** As a configuration names it. */
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  /** Looked for in PATH, unless an agent's `command:` says another. */
  readonly program: string;
  /** What a person types to have it, and how to be known to it. */
  readonly install: string;
  readonly signIn: string;
  /** Variables of the user's that it documents as its own: a name, or a beginning with `*` behind; `!` leaves one out. */
  readonly variables: readonly string[];
  /** Whether it says what a turn cost. */
  readonly tellsCost?: boolean;
  /** Whether it can go on with a conversation that it had. */
  readonly canResume: boolean;
  start(wish: ClientWish): ClientStart;
  hear(event: ClientEvent, where: { readonly desk: string }): readonly Heard[];
  /** What a line of its stderr says is wrong, when there is no use in waiting for more: it is ended then. */
  givesUp?(line: string): Trouble | undefined;
}

export interface ClientWish {
  readonly model: string | undefined;
  /** It judges, or proposes, and changes nothing. */
  readonly isReadOnly: boolean;
  readonly resume?: string;
  readonly server?: TurnServer;
}

export interface ClientStart {
  /** Behind the program's name, before those that the user adds. */
  readonly args: readonly string[];
  /** Behind those of the user, so that none of them takes it back. */
  readonly lastArgs?: readonly string[];
  /** Set where the user's own environment says nothing. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Set in any case. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A line of its output that is a JSON object; nothing in it is believed to have any shape. */
export type ClientEvent = Readonly<Record<string, unknown>>;

export type Heard =
  | { readonly heard: "session"; readonly id: string }
  | { readonly heard: "action"; readonly words: string }
  /** A whole message; the last one is the reply. */
  | { readonly heard: "message"; readonly text: string }
  /** A piece of a message, which goes on until something else is heard. */
  | { readonly heard: "piece"; readonly text: string }
  /** Of the turn so far, or of one step more. */
  | { readonly heard: "usage"; readonly usage: Usage; readonly of: "turn" | "step" }
  /** When a limit that it met will be lifted, in seconds since 1970. */
  | { readonly heard: "limit"; readonly resetsAt: number }
  /** The event that ends a turn well; `text` where it holds the reply itself. */
  | { readonly heard: "complete"; readonly text?: string }
  /** The turn is not over, whatever was heard before. */
  | { readonly heard: "going-on" }
  /** The event that ends a turn badly. */
  | { readonly heard: "trouble"; readonly trouble: Trouble };

/** What a client says went wrong. */
export interface Trouble {
  readonly message: string;
  /** Of HTTP. */
  readonly status?: number;
  /** How long its server asked it to wait, where the client passes that on. */
  readonly retryAfterMs?: number;
  /** Where the client itself tells which of ours it is. */
  readonly code?: FailureCode;
}
