/**
 * The loop: record, decide, record, act. The outcome of each act is recorded again.
 *
 * The state changes as soon as an event is numbered. But nothing is done outside, and nothing is reported, until
 * everything it depends on is durable. If the journal fails, the loop ends, because nothing after that could be trusted.
 */
import type { Journal, Recorded } from "../../journal/journal.ts";
import { admit } from "../../kernel/admit.ts";
import type { Admitted, Command } from "../../kernel/command.ts";
import { type Decision, decide } from "../../kernel/decide.ts";
import type { Effect } from "../../kernel/effect.ts";
import { evolve } from "../../kernel/evolve.ts";
import { initialState } from "../../kernel/initial.ts";
import { isVerifyWanted } from "../../kernel/rules/evidence/verification.ts";
import { unspentTurn } from "../../kernel/rules/run/known-cost.ts";
import type { MutableState, State } from "../../kernel/state.ts";
import { assert } from "../../std/assert.ts";
import type { RunClock } from "../../world/time/run-clock.ts";
import { type LiveRecord, runTimeAt } from "../folder/live-record.ts";
import { startAct } from "./act.ts";
import type { Act, ActContext, LiveSign } from "./act-context.ts";
import type { Ports } from "./ports.ts";

export interface CoordinatorObserver {
  /** Called with events that have become durable. */
  onRecorded?(recorded: readonly Recorded[], state: State): void;
  /** Called when an agent or a command shows a sign of life; this is not recorded. */
  onSign?(sign: LiveSign): void;
}

/** How the loop ended: nothing is under way and nothing can start. `rolled-back` ends a loop that only rolls back. */
export type LoopOutcome = "done" | "failed" | "waiting" | "paused" | "stopped" | "rolled-back";

export interface RunLoopOptions {
  /** Return when only a person can move the run forward; otherwise wait for them. */
  readonly leaveWhenWaiting: boolean;
  /** Do only what is needed to roll tasks back. */
  readonly onlyRollback?: boolean;
}

interface CoordinatorStart {
  readonly clock: RunClock;
  readonly journal: Journal;
  /** The state of the last snapshot, if there is one. */
  readonly restored?: MutableState | undefined;
  /** The last live record of the previous process. It may be later than its last event. */
  readonly live?: LiveRecord | undefined;
}

export class Coordinator implements ActContext {
  readonly #state: MutableState;
  readonly #acts = new Map<string, Act>();
  readonly #watchers = new Set<CoordinatorObserver>();
  #unseen: Recorded[] = [];
  /** Recorded before the loop started. */
  readonly #opening: Recorded[] = [];
  #isRunning = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};

  readonly #clock: RunClock;
  readonly #journal: Journal;
  /** The run time when our own clock started. */
  readonly #offset: number;
  #ports: Ports | undefined;

  /** Starts from a stored state plus the later events of the journal, or from the journal alone. */
  constructor({ clock, journal, restored, live }: CoordinatorStart) {
    this.#clock = clock;
    this.#journal = journal;
    this.#state = restored ?? initialState();
    for (const recorded of journal.recorded)
      if (recorded.seq > this.#state.seq) evolve(this.#state, recorded);
    this.#offset = runTimeAt(clock.now(), this.#state, live) - clock.elapsed();
  }

  /**
   * Connects the ports. They come after the state, because the state says how the run was started, and that decides which
   * ports it gets.
   */
  connect(ports: Ports): void {
    this.#ports = ports;
  }

  get ports(): Ports {
    assert(this.#ports, "a coordinator acts only after its ports are connected");
    return this.#ports;
  }

  /** The events recorded before this process opened the run. */
  get replayed(): readonly Recorded[] {
    return this.#journal.recorded;
  }

  /** The same, plus the events recorded while the run was opened, which a new observer has missed. */
  get recordedSoFar(): readonly Recorded[] {
    return [...this.#journal.recorded, ...this.#opening];
  }

  get state(): State {
    return this.#state;
  }

  /** Run time: how long the run has taken so far, across all processes. */
  now(): number {
    return this.#clock.elapsed() + this.#offset;
  }

  watch(watcher: CoordinatorObserver): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Judges a command and records what it causes. That is durable only after `durable` resolves. */
  submit(command: Command): Admitted {
    const admitted = admit(this.#state, command);
    if ("refused" in admitted || admitted.length === 0) return admitted;
    const moment = { at: this.#clock.now(), time: Math.round(this.now()) };
    const recorded = this.#journal.append(admitted, moment);
    for (const one of recorded) evolve(this.#state, one);
    this.#unseen.push(...recorded);
    this.#wake();
    return admitted;
  }

  /** Like `submit`, but never throws: if the journal can no longer be written, the loop ends. */
  submitOrFail(command: Command): void {
    try {
      this.submit(command);
    } catch (error) {
      this.fail(error);
    }
  }

  async durable(): Promise<void> {
    // Events recorded while we wait are reported by the next call.
    const last = this.#state.seq;
    await this.#journal.durable();
    const seen = this.#unseen.filter(({ seq }) => seq <= last);
    this.#unseen = this.#unseen.filter(({ seq }) => seq > last);
    if (!this.#isRunning) this.#opening.push(...seen);
    if (seen.length > 0) for (const { onRecorded } of this.#watchers) onRecorded?.(seen, this.#state);
  }

  reportSign(sign: LiveSign): void {
    for (const { onSign } of this.#watchers) onSign?.(sign);
  }

  /** Ends the loop. Whatever was under way is left for the next process to find. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  async run(options: RunLoopOptions): Promise<LoopOutcome> {
    this.#isRunning = true;
    if (!options.onlyRollback) {
      const { outsideWatcher } = this.ports;
      this.submit({
        command: "find-confinement",
        holds: !outsideWatcher.isNeeded(),
        hasLayers: outsideWatcher.hasLayers(),
      });
    }
    for (;;) {
      const woken = this.#nextWake();
      const decision = this.#decideAll(options);
      await this.durable();
      this.#throwFailure();
      this.#start(decision.effects, options);
      const ending = this.#ending(options);
      if (ending === "waiting") {
        this.submit({ command: "leave-waiting" });
        await this.durable();
        // An answer may have arrived while that became durable.
        if (this.#ending(options) !== ending) continue;
      }
      if (ending) return ending;
      const timer = this.#timer(decision);
      await woken;
      timer();
      this.#throwFailure();
    }
  }

  /** Cancels everything under way and waits for it to end. */
  async abandon(): Promise<void> {
    for (const act of this.#acts.values()) act.cancel();
    await Promise.all([...this.#acts.values()].map(({ ended }) => ended));
  }

  /** Resolves at the next change, even if it happens before anybody waits. */
  #nextWake(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #decideAll(options: RunLoopOptions): Decision {
    for (;;) {
      const decision = decide(this.#state, this.now());
      const { order } = decision;
      if (!order || options.onlyRollback) return decision;
      const admitted = this.submit(
        order.command === "dispatch" ? { ...order, fenceTag: this.ports.chance.id(10) } : order,
      );
      assert(!("refused" in admitted), `what the kernel orders is admitted (${order.command})`);
    }
  }

  /**
   * An act that needs a desk waits until the previous act at that desk has ended, even if that one is no longer wanted.
   */
  #start(effects: readonly Effect[], options: RunLoopOptions): void {
    for (const act of this.#acts.values())
      if (act.verifies && !isVerifyWanted(this.#state, act.verifies)) act.cancel();
    const stillWanted = new Set(decide(this.#state, this.now()).effects.map(({ key }) => key));
    for (const effect of effects) {
      if (
        this.#acts.has(effect.key) ||
        !stillWanted.has(effect.key) ||
        !isRequested(effect, this.#state, options)
      )
        continue;
      if (effect.effect === "end-turn") this.#endTurn(effect);
      else if (!this.#isTaken(effect)) this.#begin(effect);
    }
  }

  /** If the turn was cancelled before it started, nothing else will report its end, so we do. */
  #endTurn({ turn, reason }: Extract<Effect, { effect: "end-turn" }>): void {
    const act = this.#acts.get(`turn:${turn}`);
    if (act) act.cancel();
    else
      this.submit({
        command: "turn-ended",
        turn,
        ended: { how: "cancelled", reason },
        spent: unspentTurn,
      });
  }

  #isTaken(effect: Effect): boolean {
    const desk = deskOf(effect);
    return desk !== undefined && [...this.#acts.values()].some((act) => act.desk === desk);
  }

  #begin(effect: Exclude<Effect, { effect: "end-turn" }>): void {
    const desk = deskOf(effect);
    const act = {
      ...startAct(effect, this),
      ...(desk === undefined ? {} : { desk }),
      ...(effect.effect === "verify" && { verifies: effect }),
    };
    this.#acts.set(effect.key, act);
    void act.ended.then(() => {
      this.#acts.delete(effect.key);
      this.#wake();
    });
  }

  /** Decides again: while the last decision became durable, an act may have ended and left more to do. */
  #ending(options: RunLoopOptions): LoopOutcome | undefined {
    if (this.#acts.size > 0) return undefined;
    const { order, effects, isResting } = decide(this.#state, this.now());
    if (options.onlyRollback)
      return effects.some((effect) => isRequested(effect, this.#state, options)) ? undefined : "rolled-back";
    if (order || effects.length > 0 || isResting) return undefined;
    const { status } = this.#state;
    if (status.name === "finished") return status.outcome;
    if (status.name === "stopped") return "stopped";
    if (status.name === "paused") return "paused";
    assert(this.#state.index.openQuestions.size > 0, "a run that goes on has something to do");
    return options.leaveWhenWaiting ? "waiting" : undefined;
  }

  #timer({ wakeAt }: Decision): () => void {
    if (wakeAt === undefined) return () => {};
    return this.#clock.after(wakeAt - this.now(), () => this.#wake());
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }
}

function deskOf(effect: Effect): string | undefined {
  if (effect.effect !== "turn" && effect.effect !== "collect") return undefined;
  return effect.role === "developer" ? effect.task : `${effect.task}.audit`;
}

function isRequested(effect: Effect, state: State, { onlyRollback }: RunLoopOptions): boolean {
  if (!onlyRollback) return true;
  const isBranch = effect.effect === "revert" || effect.effect === "advance";
  const isAfter = effect.effect === "verify" && effect.work.of === "rollback";
  return (isBranch || isAfter) && state.queue[0]?.of === "rollback";
}
