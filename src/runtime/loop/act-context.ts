/** What the loop gives to an act: the state to read, the ports to act through, and a way to submit its outcome. */
import type { Admitted, Command } from "../../kernel/command.ts";
import type { Effect } from "../../kernel/effect.ts";
import type { State } from "../../kernel/state.ts";
import type { Ports } from "./ports.ts";

export interface ActContext {
  readonly state: State;
  readonly ports: Ports;
  /** Judges a command and records what it causes. */
  submit(command: Command): Admitted;
  /** Like `submit`, but never throws: if the journal can no longer be written, the loop ends. */
  submitOrFail(command: Command): void;
  /** Passes on a sign of life from something under way. */
  reportSign(sign: LiveSign): void;
  /** Ends the loop. Whatever was under way is left for the next process to find. */
  fail(error: unknown): void;
}

export interface LiveSign {
  readonly key: string;
  readonly task?: string;
  /** What it is doing, in words; missing for a mere sign of life. */
  readonly words?: string;
}

/** An effect under way. */
export interface Act {
  /** Never rejects: a failure is an outcome that was submitted, or `fail` was called. */
  readonly ended: Promise<void>;
  cancel(): void;
  /** The desk it works at. */
  readonly desk?: string;
  /** What it verifies. It is cancelled once nothing waits for that result. */
  readonly verifies?: Extract<Effect, { effect: "verify" }>;
}

/** How an act learns that it is cancelled. */
export interface Cancellation {
  readonly isCancelled: boolean;
  /** Called once; immediately if already cancelled. */
  onCancel(call: () => void): void;
}
