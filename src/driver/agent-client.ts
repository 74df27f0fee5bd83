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
  /** What it says when it is to go on with a conversation that it does not know. */
  readonly sessionLost: RegExp;
  /** Whether it says what a turn cost. */
  readonly tellsCost?: boolean;
  start(wish: ClientWish): ClientStart;
  hear(event: ClientEvent, where: Where): readonly Heard[];
  /** What a line of its stderr says is wrong, when there is no use in waiting for more: it is ended then. */
  givesUp?(line: string): Trouble | undefined;
}

export interface Where {
  readonly desk: string;
  /** The conversation that it goes on with. */
  readonly resume?: string;
}

export interface ClientWish {
  readonly model: string | undefined;
  /** It judges, or proposes, and changes nothing. */
  readonly isReadOnly: boolean;
  readonly resume?: string;
  readonly server?: TurnServer;
  readonly scratch: string;
  /** All that it will find in its environment, but for what the start adds. */
  readonly environment: Readonly<Record<string, string>>;
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
  /** For the turn's scratch folder: texts by their paths in it. */
  readonly files?: Readonly<Record<string, string>>;
  /** For the same place, before the files. */
  readonly mirrors?: readonly Mirror[];
}

/** A folder with links to what is in a folder of the user's, so that something can stand among it that is not the user's. */
export interface Mirror {
  readonly of: string;
  /** In the scratch folder. */
  readonly at: string;
  /** Names of those that are linked; all where nothing is said. */
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  /** Folders that the program would make itself if it found none: made in the user's, or what it keeps there would be lost. */
  readonly makes?: readonly string[];
  /**
   * What the program itself puts there is the user's, and is brought home after the turn, but for names like these. Nothing
   * is brought where nothing is said.
   */
  readonly staysBehind?: RegExp;
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
  /** What it has counted in the whole conversation, by which a later turn knows what was used before it. */
  | { readonly heard: "counters"; readonly counters: readonly number[] }
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
