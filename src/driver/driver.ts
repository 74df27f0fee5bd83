/**
 * The port to agents: runs one turn, from a prompt to a reply.
 *
 * A driver knows one kind of agent and nothing else: no journal, no plan, no clock. It never throws into the loop:
 * whatever happens is an outcome. Whoever started a turn decides how long it may take.
 */
import type { ProcessIdentity } from "../world/processes/processes.ts";
import type { AgentSettings } from "./agent-settings.ts";
import type { WorkMode, WorkModes } from "./work-modes.ts";

export interface Driver {
  readonly name: string;
  /** The work modes its agents support; the first is the default. */
  readonly modes: WorkModes;
  /** Whether a later turn can resume the conversation of an earlier one. */
  readonly canResume: boolean;
  /** Whether its agents get the turn's MCP server without further setup. */
  readonly takesServer?: boolean;
  /** Whether edits that its agents try to make in proposal mode are collected as operations. */
  readonly takesEdits?: boolean;
  /** This driver as it is for one agent, where its agents differ in what they can do. */
  forAgent?(settings: AgentSettings): Driver;
  start(turn: TurnRequest, observer?: TurnObserver): TurnHandle;
}

export interface TurnRequest {
  readonly turn: string;
  readonly run: string;
  readonly task: string;
  readonly attempt: number;
  readonly agent: string;
  readonly role: string;
  /** The tag of the fence around the reply's block; fresh for each turn and known only to its agent. */
  readonly fence: string;
  readonly prompt: string;
  readonly mode: WorkMode;
  /** The desk already contains the operations of an earlier reply, so this reply needs none. */
  readonly isWorkAtDesk?: true;
  /** The conversation to resume; only for a driver that can. */
  readonly resume?: string;
  /** An MCP server for this turn only, through which the agent can hand in its reply. */
  readonly server?: TurnServer;
  /** The working folder of the turn. */
  readonly desk: string;
  /** A scratch folder for this turn, which the agent may write to besides its desk. */
  readonly scratch: string;
  /** Other paths the agent may write to, because the configuration allows it. */
  readonly writable?: readonly string[];
  /** What it must not write to, wherever it is: the user's repository, other desks, the run's own folder. */
  readonly readOnly: readonly string[];
  readonly settings: AgentSettings;
}

/** A program that the agent's own program starts. */
export interface TurnServer {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
}

export interface TurnObserver {
  onSign?(sign: SignOfLife): void;
  /** Everything the agent printed or reported, for the turn's transcript. */
  onRecord?(record: TurnRecord): void;
  /** Called when an agent in proposal mode tried to change a file itself. The edit was declined. */
  onTried?(tried: Tried): void;
}

/** The combined effect of an agent's own edits to one path in a turn, as operations of a reply. */
export interface Tried {
  readonly path: string;
  readonly operations: readonly object[];
}

/** One line of a transcript. Secrets that we gave the agent are masked. */
export interface TurnRecord {
  /** `event` is a machine-readable line as printed; `said` and `did` are what such lines mean. */
  readonly from: "stdout" | "stderr" | "event" | "said" | "did";
  readonly text: string;
  /** How many characters were cut off. */
  readonly cut?: number;
}

/** A sign that the agent is alive. */
export type SignOfLife =
  | { readonly kind: "output"; readonly bytes: number }
  /** A line of text from the agent. */
  | { readonly kind: "line"; readonly text: string }
  /** What the agent is doing, in words: "editing src/a.ts". */
  | { readonly kind: "action"; readonly words: string }
  /** What the turn has used so far in total: a later sign replaces it. */
  | { readonly kind: "usage"; readonly usage: Usage };

export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Input tokens that came from a cache and cost less. */
  readonly cachedInputTokens?: number;
  /** In millionths of a dollar, if the agent itself reports its cost. */
  readonly usdMicros?: number;
  /** Usage by model, as far as the agent reports it; prices are looked up by model name. */
  readonly models?: readonly ModelUsage[];
  /** Further usage, whose cost is not included in `usdMicros`. */
  readonly additional?: readonly ModelUsage[];
  /** The agent reported more usage that could not be read or names no model. */
  readonly isPartial?: true;
}

export interface ModelUsage extends Pick<Usage, "inputTokens" | "outputTokens" | "cachedInputTokens"> {
  readonly model: string;
}

export interface TurnHandle {
  /** The agent's process; missing for agents without one. */
  readonly identity?: ProcessIdentity;
  /** Never rejects. */
  readonly outcome: Promise<TurnOutcome>;
  /** Ends the turn and everything it started. Calling it again changes nothing. */
  cancel(): void;
}

export interface TurnOutcome {
  readonly ended:
    | { readonly kind: "replied" }
    /** Cancelled by us, through `cancel`. */
    | { readonly kind: "cancelled" }
    | {
        readonly kind: "failed";
        readonly code: FailureCode;
        readonly message: string;
        /** When a limit is lifted, in milliseconds since 1970, if that was reported. */
        readonly resetsAt?: number;
      };
  /** What the agent said, even when it failed; possibly cut at the cap. */
  readonly reply: Uint8Array;
  readonly lastLine: string;
  readonly usage?: Usage;
  /** How often it used a tool; missing if its program does not report that, or it had none. */
  readonly toolUses?: number;
  /** The agent program's own name for the conversation. */
  readonly session?: string;
  /** A program of the agent ran without its sandbox, although one was requested. */
  readonly ranUnconfined?: true;
  /** What the agent did wrong, by code. */
  readonly misconduct: readonly { readonly code: string; readonly message: string }[];
}

export type FailureCode =
  | "AGENT_EXIT"
  | "AGENT_SIGNAL"
  | "AGENT_SPAWN"
  /** The disk had no room for what the agent needs: not the agent's fault. */
  | "DESK_FAILED"
  | "AGENT_OUTPUT_LIMIT"
  | "AGENT_PROTOCOL"
  | "AGENT_NOT_INSTALLED"
  | "AGENT_NOT_SIGNED_IN"
  /** The message says when the limit is lifted, if that was reported. */
  | "AGENT_RATE_LIMIT"
  | "AGENT_CONTEXT"
  | "AGENT_REFUSED"
  | "AGENT_API"
  /** A limit of the agent program itself: turns, money. */
  | "AGENT_LIMIT"
  /** It exited with code 0 but never said that its turn was over. */
  | "AGENT_NO_RESULT"
  /** It was asked to resume a conversation that it no longer knows. */
  | "AGENT_SESSION_LOST"
  | "PROMPT_NUL"
  | "SCRIPT_BAD";
