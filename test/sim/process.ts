/**
 * One process of ours, from the lock it takes to its end: the real coordinator and loop, with simulated hands. It can be
 * killed between any two steps; whatever it would have done then is never heard of.
 */

import { DiskFailed } from "../../src/durable/guard.ts";
import { LockLost } from "../../src/durable/lock.ts";
import type { Journal, Recorded } from "../../src/journal/journal.ts";
import type { Command, Door } from "../../src/kernel/command.ts";
import { toSnapshot } from "../../src/kernel/snapshot.ts";
import type { OwnState } from "../../src/kernel/state.ts";
import type { Ending } from "../../src/runtime/coordinator.ts";
import { takeOver } from "../../src/runtime/take-over.ts";
import type { RunClock } from "../../src/world/run-clock.ts";
import { handsOf } from "./hands.ts";
import { landNow, recoverLandingOf } from "./landing.ts";
import type { Owner } from "./scheduler.ts";
import { WatchedCoordinator } from "./watched-coordinator.ts";
import type { World } from "./world.ts";

/** What a process is started for. */
export interface Errand {
  /** Recorded first, as a person's command to a run that nobody writes. */
  readonly command?: Door;
  /** `drive` runs the crew, `record` only writes down, `take-back` does what a rollback needs, `land` lands. */
  readonly purpose: "drive" | "record" | "take-back" | "land";
  readonly leaveWhenWaiting: boolean;
}

export class Process {
  /** How it left by itself. */
  ending: Ending | "recorded" | "failed" | undefined;
  isOpen = false;
  isDead = false;
  #isStale = false;
  coordinator: WatchedCoordinator | undefined;
  #journal: Journal | undefined;
  readonly #clock: RunClock;

  constructor(
    private readonly world: World,
    readonly owner: Owner,
    readonly errand: Errand,
  ) {
    this.#clock = world.scheduler.clockOf(owner, world.random.below(7_200_000) - 3_600_000);
  }

  /** Throws LOCK_HELD when there is another; else it lives from here on. */
  start(kept?: OwnState): void {
    const { world } = this;
    const journal = world.journal.open();
    world.writer = this.owner;
    world.ledger.reopened(journal.recorded);
    this.#journal = journal;
    const coordinator = new WatchedCoordinator(world, {
      clock: this.#clock,
      journal: this.#watched(journal),
      kept,
    });
    this.coordinator = coordinator;
    void this.#live(coordinator).then(
      (ending) => this.#ended(ending),
      (error: unknown) => this.#failed(error),
    );
  }

  /** It is gone from here on. Of what was not durable the first `kept` appends survive. */
  kill(kept: number): void {
    this.isDead = true;
    this.world.scheduler.drop(this.owner);
    this.world.agents.orphan(this.owner);
    this.world.journal.crash(kept);
  }

  /** Its lock is gone, and it does not know it. */
  loseLock(): void {
    this.isDead = true;
    this.#isStale = true;
    this.world.scheduler.freeze(this.owner);
    this.world.writer = 0;
    this.world.journal.loseLock();
  }

  /** What it says now must not be heard. */
  insist(): void {
    const { world, coordinator } = this;
    const before = world.ledger.count;
    try {
      coordinator?.submit({
        command: "report",
        turn: "x" as never,
        code: "STALE",
        message: "it is still here",
      });
    } catch (error) {
      if (error instanceof LockLost) world.coverage.deed("stale writer refused");
    }
    if (world.ledger.count > before)
      world.violate("one-writer", "a writer without its lock appended something");
  }

  async #live(coordinator: WatchedCoordinator): Promise<Process["ending"]> {
    const { world, errand } = this;
    coordinator.equip(handsOf(world, this.owner, this.#clock));
    if (coordinator.replayed.length === 0) await this.#begin(coordinator);
    else await this.#takeOver(coordinator);
    await recoverLandingOf(world, coordinator);
    this.isOpen = true;
    if (errand.command) {
      coordinator.submit(errand.command);
      await coordinator.durable();
    }
    const ending = await this.#work(coordinator);
    // Whoever says something now is heard by the next one.
    this.isOpen = false;
    if (world.agents.live.size > 0)
      world.violate("nobody-left", `the process ends (${ending}) and somebody is at work`);
    await this.#journal?.close();
    return ending;
  }

  async #work(coordinator: WatchedCoordinator): Promise<Process["ending"]> {
    const { purpose, leaveWhenWaiting } = this.errand;
    if (purpose === "record") return "recorded";
    if (purpose === "land") {
      await landNow(this.world, coordinator);
      return "recorded";
    }
    try {
      return await coordinator.run({
        leaveWhenWaiting,
        ...(purpose === "take-back" ? { onlyRollback: true } : {}),
      });
    } catch (error) {
      // As whoever drives a run does; but a process that was killed does nothing.
      if (!this.isDead || this.#isStale) await coordinator.abandon();
      throw error;
    }
  }

  async #begin(coordinator: WatchedCoordinator): Promise<void> {
    const { plan } = this.world;
    const early: Command = { command: "pause", reason: "person", detail: "", by: plan.by };
    coordinator.submit(early);
    await coordinator.hands.repository.beginRun(plan.run, plan.base as never);
    coordinator.submit({ command: "start", run: plan });
    coordinator.submit({
      command: "open-session",
      pid: this.owner,
      version: "0",
      replayed: 0,
      recovered: [],
    });
    await coordinator.durable();
  }

  async #takeOver(coordinator: WatchedCoordinator): Promise<void> {
    const { world } = this;
    const endMarked = async () => {
      await world.scheduler.gate(this.owner, "end what was left");
      return world.agents.endAll();
    };
    const { recovered } = world;
    await takeOver(coordinator, { processes: { endMarked }, pid: this.owner, version: "0", recovered });
  }

  #watched(journal: Journal): Journal {
    const { ledger, coverage } = this.world;
    return {
      recorded: journal.recorded,
      recovered: journal.recovered,
      append: (events, moment) => {
        const recorded = journal.append(events, moment);
        ledger.appended(recorded);
        for (const { event } of recorded) coverage.event(event);
        for (const one of recorded) this.world.witness.ends(one);
        this.#note(recorded);
        return recorded;
      },
      durable: () => journal.durable(),
      close: () => journal.close(),
    };
  }

  #note(recorded: readonly Recorded[]): void {
    if (!this.world.log) return;
    for (const { seq, event, data } of recorded)
      this.world.note(`  ${seq} ${event} ${JSON.stringify(data).slice(0, 300)}`);
  }

  #ended(ending: Process["ending"]): void {
    if (this.isDead) return;
    this.isDead = true;
    this.ending = ending;
    this.world.note(`process ${this.owner} ends: ${ending}`);
    this.world.scheduler.drop(this.owner);
  }

  /** A disk that failed is no bug of ours, a lock that we took away neither; everything else is. */
  #failed(error: unknown): void {
    const { world } = this;
    if (this.isDead && (!this.#isStale || error instanceof LockLost)) return;
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (error instanceof DiskFailed || code === "ENOSPC") {
      world.coverage.deed("disk failed");
      this.ending = "failed";
      return;
    }
    world.violate("unthrown", error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  snapshot(): unknown {
    return this.coordinator && toSnapshot(this.coordinator.state);
  }
}
