/**
 * The loop: record, decide, record, act; and whatever comes of an act is recorded again.
 *
 * State goes on as soon as an event is numbered, but nothing is done outside, and nobody is told, before everything it
 * rests on is durable. A failure of the journal ends the loop: nothing that follows could be trusted.
 */
import type { Journal, Recorded } from "../journal/journal.ts";
import { admit } from "../kernel/admit.ts";
import type { Admitted, Command } from "../kernel/command.ts";
import { type Decision, decide } from "../kernel/decide.ts";
import type { Effect } from "../kernel/effect.ts";
import { evolve } from "../kernel/evolve.ts";
import { initialState } from "../kernel/initial.ts";
import type { OwnState, State } from "../kernel/state.ts";
import { isVerifyWanted } from "../kernel/verification.ts";
import { assert } from "../std/assert.ts";
import type { RunClock } from "../world/run-clock.ts";
import { startAct } from "./act.ts";
import type { Act, Bridge, LiveSign } from "./bridge.ts";
import type { Hands } from "./hands.ts";

export interface Watcher {
  /** What has become durable. */
  onRecorded?(recorded: readonly Recorded[], state: State): void;
  /** Something an agent or a command was heard to do; not recorded. */
  onSign?(sign: LiveSign): void;
}

/** How the loop came to its end: nothing is under way and nothing can begin. */
export type Ending = "done" | "failed" | "waiting" | "paused" | "stopped" | "settled";

export interface RunWish {
  /** Returns when only a person can go on; else waits for them. */
  readonly leaveWhenWaiting: boolean;
  /** Only what is needed to take tasks back is done. */
  readonly onlyRollback?: boolean;
}

export class Coordinator implements Bridge {
  readonly #state: OwnState;
  readonly #acts = new Map<string, Act>();
  readonly #watchers = new Set<Watcher>();
  #unseen: Recorded[] = [];
  /** Told before the loop began. */
  readonly #opening: Recorded[] = [];
  #isRunning = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};

  readonly #clock: RunClock;
  readonly #journal: Journal;
  /** Run time at which our own clock began. */
  readonly #offset: number;
  #hands: Hands | undefined;

  /** From a state that was kept, and what the journal says since; or from what it says alone. */
  constructor({ clock, journal, kept }: { clock: RunClock; journal: Journal; kept?: OwnState | undefined }) {
    this.#clock = clock;
    this.#journal = journal;
    this.#state = kept ?? initialState();
    for (const recorded of journal.recorded)
      if (recorded.seq > this.#state.seq) evolve(this.#state, recorded);
    this.#offset = this.#state.time - clock.elapsed();
  }

  /** The state says what a run was begun with, and that says who its hands are; so they come after it. */
  equip(hands: Hands): void {
    this.#hands = hands;
  }

  get hands(): Hands {
    assert(this.#hands, "a coordinator acts only when it has hands");
    return this.#hands;
  }

  /** What was there before us. */
  get replayed(): readonly Recorded[] {
    return this.#journal.recorded;
  }

  /** The same, and what was recorded while the run was opened: whoever begins to watch now has missed it. */
  get recordedSoFar(): readonly Recorded[] {
    return [...this.#journal.recorded, ...this.#opening];
  }

  get state(): State {
    return this.#state;
  }

  /** Run time: what the run has taken so far, whoever wrote it. */
  now(): number {
    return this.#clock.elapsed() + this.#offset;
  }

  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Judges a command and records what it causes. It is durable once `durable` says so. */
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

  /** The same for whoever nothing may be thrown through: a journal that takes nothing more ends the loop. */
  offer(command: Command): void {
    try {
      this.submit(command);
    } catch (error) {
      this.fail(error);
    }
  }

  async durable(): Promise<void> {
    // What is recorded while we wait is on its way, and for the next one who asks.
    const last = this.#state.seq;
    await this.#journal.durable();
    const seen = this.#unseen.filter(({ seq }) => seq <= last);
    this.#unseen = this.#unseen.filter(({ seq }) => seq > last);
    if (!this.#isRunning) this.#opening.push(...seen);
    if (seen.length > 0) for (const { onRecorded } of this.#watchers) onRecorded?.(seen, this.#state);
  }

  heard(sign: LiveSign): void {
    for (const { onSign } of this.#watchers) onSign?.(sign);
  }

  /** Ends the loop: what was under way is left for the next process to find. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  async run(wish: RunWish): Promise<Ending> {
    this.#isRunning = true;
    if (!wish.onlyRollback)
      this.submit({ command: "find-confinement", holds: !this.hands.lookout.isNeeded() });
    for (;;) {
      const woken = this.#nextWake();
      const decision = this.#decideAll(wish);
      await this.durable();
      this.#throwFailure();
      this.#start(decision.effects, wish);
      const ending = this.#ending(wish);
      if (ending === "waiting") {
        this.submit({ command: "leave-waiting" });
        await this.durable();
        // An answer may have come while that became durable.
        if (this.#ending(wish) !== ending) continue;
      }
      if (ending) return ending;
      const timer = this.#timer(decision);
      await woken;
      timer();
      this.#throwFailure();
    }
  }

  /** Everything under way is told to end, and waited for. */
  async abandon(): Promise<void> {
    for (const act of this.#acts.values()) act.cancel();
    await Promise.all([...this.#acts.values()].map(({ ended }) => ended));
  }

  /** Resolved by the next thing that happens, also if it happens before anybody waits. */
  #nextWake(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #decideAll(wish: RunWish): Decision {
    for (;;) {
      const decision = decide(this.#state, this.now());
      const { order } = decision;
      if (!order || wish.onlyRollback) return decision;
      const admitted = this.submit(
        order.command === "dispatch" ? { ...order, fenceTag: this.hands.chance.id(10) } : order,
      );
      assert(!("refused" in admitted), `what the kernel orders is admitted (${order.command})`);
    }
  }

  /** What works at a desk waits until whoever was there before has left it, also if nobody wants him any more. */
  #start(effects: readonly Effect[], wish: RunWish): void {
    for (const act of this.#acts.values())
      if (act.verifies && !isVerifyWanted(this.#state, act.verifies)) act.cancel();
    const stillWanted = new Set(decide(this.#state, this.now()).effects.map(({ key }) => key));
    for (const effect of effects) {
      if (this.#acts.has(effect.key) || !stillWanted.has(effect.key) || !isWished(effect, this.#state, wish))
        continue;
      if (effect.effect === "end-turn") this.#endTurn(effect);
      else if (!this.#isTaken(effect)) this.#begin(effect);
    }
  }

  /** One that nobody wanted any more before it was begun has nobody else to say that it ended. */
  #endTurn({ turn, reason }: Extract<Effect, { effect: "end-turn" }>): void {
    const act = this.#acts.get(`turn:${turn}`);
    if (act) act.cancel();
    else
      this.submit({
        command: "turn-ended",
        turn,
        ended: { how: "cancelled", reason },
        spent: { ms: 0 },
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

  /** Asks anew: while what was decided became durable, an act may have ended and left more to do. */
  #ending(wish: RunWish): Ending | undefined {
    if (this.#acts.size > 0) return undefined;
    const { order, effects, isResting } = decide(this.#state, this.now());
    if (wish.onlyRollback)
      return effects.some((effect) => isWished(effect, this.#state, wish)) ? undefined : "settled";
    if (order || effects.length > 0 || isResting) return undefined;
    const { status } = this.#state;
    if (status.name === "finished") return status.outcome;
    if (status.name === "stopped") return "stopped";
    if (status.name === "paused") return "paused";
    assert(this.#state.index.openQuestions.size > 0, "a run that goes on has something to do");
    return wish.leaveWhenWaiting ? "waiting" : undefined;
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

function isWished(effect: Effect, state: State, { onlyRollback }: RunWish): boolean {
  if (!onlyRollback) return true;
  const isBranch = effect.effect === "revert" || effect.effect === "advance";
  const isAfter = effect.effect === "verify" && effect.work.of === "rollback";
  return (isBranch || isAfter) && state.queue[0]?.of === "rollback";
}
