/**
 * The port to agents: one turn, from a prompt to a reply.
 *
 * A driver knows one kind of agent program and nothing else: no journal, no plan, no clock. It never throws through
 * the loop: whatever happens is an outcome. How long a turn may take is decided by whoever started it.
 */
import type { ProcessIdentity } from "../world/processes.ts";

export interface Driver {
  readonly name: string;
  /** How agents of it can work; the first one is how they do where nobody says. */
  readonly ways: readonly [Way, ...Way[]];
  /** Whether a later turn can go on with the conversation of an earlier one. */
  readonly canResume: boolean;
  /** Whether its agents are offered the turn's MCP server by themselves. */
  readonly takesServer?: boolean;
  /** Whether what its agents try to change themselves, where they only propose, is taken down as operations. */
  readonly takesEdits?: boolean;
  /** The same, as it is for one agent, where its agents differ in what they can do. */
  of?(settings: AgentSettings): Driver;
  start(turn: TurnRequest, watching?: TurnWatching): TurnHandle;
}

/** At a desk it changes files itself and they are captured; else only the operations of its reply count. */
export type Way = "desk" | "proposal";

export interface TurnRequest {
  readonly turn: string;
  readonly run: string;
  readonly task: string;
  readonly attempt: number;
  readonly agent: string;
  readonly role: string;
  /** The tag of the fence that the reply's block carries; fresh for each turn and told to nobody else. */
  readonly fence: string;
  readonly prompt: string;
  readonly way: Way;
  /** The conversation to go on with; only for a driver that can. */
  readonly resume?: string;
  /** An MCP server of this turn alone, through which it can reply. */
  readonly server?: TurnServer;
  /** The working folder of the turn. */
  readonly desk: string;
  /** Where the agent may write besides its desk: a scratch folder of this turn. */
  readonly scratch: string;
  /** Folders it may not write to: the user's repository, other desks, the run's own folder. */
  readonly readOnly: readonly string[];
  readonly settings: AgentSettings;
}

/** A program that the agent's own program starts. */
export interface TurnServer {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
}

/** What the configuration says of one agent; each driver reads what concerns it. */
export interface AgentSettings {
  readonly driver: string;
  readonly works?: Way;
  readonly model?: string;
  readonly command?: readonly string[];
  /** More arguments for an agent program that is started with our own. */
  readonly args?: readonly string[];
  readonly script?: string;
  /** Of a model without a program: the language its server speaks, where it is, and the variable that holds the key. */
  readonly api?: "anthropic" | "openai";
  readonly url?: string;
  readonly key?: string;
  /** Which agent it is that speaks ACP, where its command does not show it. */
  readonly acp?: string;
  /** Names of variables that are passed on from our own environment. */
  readonly passEnvironment?: readonly string[];
}

export interface TurnWatching {
  onSign?(sign: Sign): void;
  /** Everything that it printed or told, for the transcript of the turn. */
  onRecord?(record: TurnRecord): void;
  /** It only proposes, and tried to change a file itself, which was declined. */
  onTried?(tried: Tried): void;
}

/** All that an agent's own edits of a turn come to at one path, as operations of a reply. */
export interface Tried {
  readonly path: string;
  readonly operations: readonly object[];
}

/** One line of a transcript; secrets that we gave the agent are masked in it. */
export interface TurnRecord {
  /** `event` is a line for programs, as it came; `said` and `did` are what such lines mean. */
  readonly from: "stdout" | "stderr" | "event" | "said" | "did";
  readonly text: string;
  /** So many characters more there were. */
  readonly cut?: number;
}

/** A sign of life. */
export type Sign =
  | { readonly kind: "output"; readonly bytes: number }
  /** A line of text that the agent said or printed. */
  | { readonly kind: "line"; readonly text: string }
  /** What it is doing, in words: "editing src/a.ts". */
  | { readonly kind: "action"; readonly words: string }
  /** What the whole turn has used so far: a later one replaces it. */
  | { readonly kind: "usage"; readonly usage: Usage };

export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Those of the input that came from a cache, and cost less. */
  readonly cachedInputTokens?: number;
  /** Millionths of a dollar, where the agent itself tells its cost. */
  readonly usdMicros?: number;
  /** The same by model, as far as the agent tells; a price is found by the model's name. */
  readonly models?: readonly ModelUsage[];
}

export interface ModelUsage extends Pick<Usage, "inputTokens" | "outputTokens" | "cachedInputTokens"> {
  readonly model: string;
}

export interface TurnHandle {
  /** Of the agent's process; nothing for agents that have none. */
  readonly identity?: ProcessIdentity;
  /** Never rejects. */
  readonly outcome: Promise<TurnOutcome>;
  /** Ends the turn and everything it started. Calling it again changes nothing. */
  cancel(): void;
}

export interface TurnOutcome {
  readonly ended:
    | { readonly kind: "replied" }
    /** By us, through `cancel`. */
    | { readonly kind: "cancelled" }
    | {
        readonly kind: "failed";
        readonly code: FailureCode;
        readonly message: string;
        /** When a limit is lifted, in milliseconds since 1970, where that was told. */
        readonly resetsAt?: number;
      };
  /** What it said, also when it failed; possibly cut at the cap. */
  readonly reply: Uint8Array;
  readonly lastLine: string;
  readonly usage?: Usage;
  /** By which the agent program itself knows the conversation. */
  readonly session?: string;
  /** A program of it was not held to the desk, though the system was asked to. */
  readonly isUnheld?: true;
  /** What it did that it should not have done, by code. */
  readonly misconduct: readonly { readonly code: string; readonly message: string }[];
}

export type FailureCode =
  | "AGENT_EXIT"
  | "AGENT_SIGNAL"
  | "AGENT_SPAWN"
  | "AGENT_OUTPUT_LIMIT"
  | "AGENT_PROTOCOL"
  | "AGENT_NOT_INSTALLED"
  | "AGENT_NOT_SIGNED_IN"
  /** The message says when it is lifted, where that was told. */
  | "AGENT_RATE_LIMIT"
  | "AGENT_CONTEXT"
  | "AGENT_REFUSED"
  | "AGENT_API"
  /** One of the agent program's own: turns, money. */
  | "AGENT_LIMIT"
  /** It ended well by its exit code, and never said that its turn is over. */
  | "AGENT_NO_RESULT"
  /** It was to go on with a conversation that it does not know any more. */
  | "AGENT_SESSION_LOST"
  | "PROMPT_NUL"
  | "SCRIPT_BAD";
