/** What an act sees of the loop that started it: the state to look at, hands to act with, and where to say what came of it. */
import type { Admitted, Command } from "../kernel/command.ts";
import type { Effect } from "../kernel/effect.ts";
import type { State } from "../kernel/state.ts";
import type { Hands } from "./hands.ts";

export interface Bridge {
  readonly state: State;
  readonly hands: Hands;
  /** Judges a command and records what it causes. */
  submit(command: Command): Admitted;
  /** The same for whoever nothing may be thrown through: a journal that takes nothing more ends the loop. */
  offer(command: Command): void;
  /** Passes on that something under way was heard of. */
  heard(sign: LiveSign): void;
  /** Ends the loop: what was under way is left for the next process to find. */
  fail(error: unknown): void;
}

export interface LiveSign {
  readonly key: string;
  readonly task?: string;
  /** What it is doing, in words; nothing for a mere sign of life. */
  readonly words?: string;
}

/** Something under way. */
export interface Act {
  /** Never rejects: a failure is an outcome that was submitted, or `fail` was called. */
  readonly ended: Promise<void>;
  cancel(): void;
  /** The desk it works at. */
  readonly desk?: string;
  /** What it verifies: once nobody waits for that it is told to end. */
  readonly verifies?: Extract<Effect, { effect: "verify" }>;
}

/** What cancels an act that listens. */
export interface Cancellation {
  readonly isCancelled: boolean;
  /** Called once, at once when it is cancelled already. */
  onCancel(call: () => void): void;
}
