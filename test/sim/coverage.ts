/** How much of the kernel's vocabulary was reached. If no seed ever uses a word, nothing was shown about it. */
import type { Command, Refusal } from "../../src/kernel/command.ts";
import type { Effect } from "../../src/kernel/effect.ts";
import type { EventName } from "../../src/kernel/event.ts";
import { eventNames } from "../../src/kernel/evolve.ts";

export class Coverage {
  readonly #counts = new Map<string, number>();

  event(name: EventName): void {
    this.#count(`event ${name}`);
  }

  refusal(name: Refusal["refused"]): void {
    this.#count(`refusal ${name}`);
  }

  effect(name: Effect["effect"]): void {
    this.#count(`effect ${name}`);
  }

  command(name: Command["command"]): void {
    this.#count(`command ${name}`);
  }

  /** Counts something that the simulation must have tried to be worth anything. */
  deed(name: Deed): void {
    this.#count(`deed ${name}`);
  }

  /** The words of the vocabulary that were never reached. */
  missing(): string[] {
    return wanted.filter((word) => !this.#counts.has(word));
  }

  reached(): string[] {
    return [...this.#counts.keys()].sort();
  }

  rows(): [string, number][] {
    return wanted.map((word) => [word, this.#counts.get(word) ?? 0]);
  }

  #count(word: string): void {
    this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }
}

const deeds = [
  "crash",
  "crash while opening",
  "lost what was not durable",
  "kept what was not durable",
  "orphan ended",
  "second writer refused",
  "stale writer refused",
  "disk failed",
  "hand failed",
  "opened from a snapshot",
  "branch moved by somebody",
  "process left and came back",
  "conversation gone on with",
  "conversation lost",
  "somebody stepped in",
] as const;

export type Deed = (typeof deeds)[number];

/** If a word of the kernel is missing here, this does not compile. */
const refusals: Readonly<Record<Refusal["refused"], true>> = {
  "run-already-started": true,
  "run-not-started": true,
  "unknown-task": true,
  "unknown-question": true,
  "already-decided": true,
  "wrong-kind-of-question": true,
  "illegal-transition": true,
  stale: true,
  "no-evidence": true,
  "not-possible-now": true,
  "request-already-handled": true,
};

const effects: Readonly<Record<Effect["effect"], true>> = {
  turn: true,
  "end-turn": true,
  collect: true,
  verify: true,
  merge: true,
  commit: true,
  revert: true,
  advance: true,
};

const commands: Readonly<Record<Command["command"], true>> = {
  start: true,
  "open-session": true,
  "leave-waiting": true,
  "find-confinement": true,
  pause: true,
  resume: true,
  stop: true,
  answer: true,
  confirm: true,
  deny: true,
  retry: true,
  rollback: true,
  "log-rollback-refusal": true,
  "prepare-landing": true,
  "end-landing": true,
  report: true,
  dispatch: true,
  "hold-for-budget": true,
  "return-agent": true,
  "hold-for-agent": true,
  withdraw: true,
  finish: true,
  "turn-started": true,
  "turn-checkpoint": true,
  "turn-ended": true,
  "outside-changed": true,
  collected: true,
  verified: true,
  merged: true,
  committed: true,
  reverted: true,
  advanced: true,
  "effect-failed": true,
};

/**
 * Protects against states that cannot occur: a commit is made only after its tree has evidence, and evidence is never
 * forgotten. The refusal remains as a safeguard, and a sown mistake shows that it works.
 */
const onlyByMistake: readonly string[] = ["refusal no-evidence"];

const wanted: readonly string[] = [
  ...[...eventNames].map((name) => `event ${name}`),
  ...Object.keys(refusals).map((name) => `refusal ${name}`),
  ...Object.keys(effects).map((name) => `effect ${name}`),
  ...Object.keys(commands).map((name) => `command ${name}`),
  ...deeds.map((name) => `deed ${name}`),
].filter((word) => !onlyByMistake.includes(word));
