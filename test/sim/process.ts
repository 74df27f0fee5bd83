/**
 * One coxswain process, from taking the lock to its end: the real coordinator and loop with simulated ports. It can be
 * killed between any two steps, and nothing it would have done afterwards happens.
 */

import { DiskFailed } from "../../src/durable/guard.ts";
import { LockLost } from "../../src/durable/lock.ts";
import type { Journal, Recorded } from "../../src/journal/journal.ts";
import type { Command, ExternalCommand } from "../../src/kernel/command.ts";
import { toSnapshot } from "../../src/kernel/snapshot.ts";
import type { MutableState, State } from "../../src/kernel/state.ts";
import type { LoopOutcome } from "../../src/runtime/loop/coordinator.ts";
import { takeOver } from "../../src/runtime/start/take-over.ts";
import { groupCounts } from "../../src/view/status/groups.ts";
import { noLiveness } from "../../src/view/status/liveness.ts";
import { runHeadline } from "../../src/view/status/run-headline.ts";
import type { RunClock } from "../../src/world/time/run-clock.ts";
import { landNow, recoverLandingOf } from "./landing.ts";
import type { Owner } from "./scheduler.ts";
import { simulatedPorts } from "./simulated-ports.ts";
import { WatchedCoordinator } from "./watched-coordinator.ts";
import type { World } from "./world.ts";

/** What a process is started for. */
export interface Errand {
  /** A person's command, recorded first, to a run that no process is writing. */
  readonly command?: ExternalCommand;
  /** `drive` runs the crew, `record` only records, `take-back` does what a rollback needs, `land` lands. */
  readonly purpose: "drive" | "record" | "take-back" | "land";
  readonly leaveWhenWaiting: boolean;
}

export class Process {
  /** How it ended by itself. */
  ending: LoopOutcome | "recorded" | "failed" | undefined;
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

  /** Throws LOCK_HELD if another process has the lock; otherwise the process is running from here on. */
  start(restored?: MutableState): void {
    const { world } = this;
    const journal = world.journal.open();
    world.writer = this.owner;
    world.ledger.reopened(journal.recorded);
    this.#journal = journal;
    const coordinator = new WatchedCoordinator(world, {
      clock: this.#clock,
      journal: this.#watched(journal),
      restored,
    });
    this.coordinator = coordinator;
    void this.#live(coordinator).then(
      (ending) => this.#ended(ending),
      (error: unknown) => this.#failed(error),
    );
  }

  /** Kills the process. Of the appends that were not durable, the first `kept` survive. */
  kill(kept: number): void {
    this.isDead = true;
    this.world.scheduler.drop(this.owner);
    this.world.agents.orphan(this.owner);
    this.world.journal.crash(kept);
  }

  /** The process loses its lock without knowing it. */
  loseLock(): void {
    this.isDead = true;
    this.#isStale = true;
    this.world.scheduler.freeze(this.owner);
    this.world.writer = 0;
    this.world.journal.loseLock();
  }

  /** Lets a process without its lock submit a command, which must not be recorded. */
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
    coordinator.connect(simulatedPorts(world, this.owner, this.#clock));
    if (coordinator.replayed.length === 0) await this.#begin(coordinator);
    else await this.#takeOver(coordinator);
    await recoverLandingOf(world, coordinator);
    this.isOpen = true;
    if (errand.command) {
      coordinator.submit(errand.command);
      await coordinator.durable();
    }
    const ending = await this.#work(coordinator);
    // From here on, commands are left for the next process.
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
      const ending = await coordinator.run({
        leaveWhenWaiting,
        ...(purpose === "take-back" ? { onlyRollback: true } : {}),
      });
      if (ending === "waiting") this.#isShownWaiting(coordinator.state);
      return ending;
    } catch (error) {
      // As the driver of a run does, except that a killed process does nothing.
      if (!this.isDead || this.#isStale) await coordinator.abandon();
      throw error;
    }
  }

  /** `cox status` afterwards must show that the run waits for a person, and for how many answers. */
  #isShownWaiting(state: State): void {
    const { words } = runHeadline({ state, now: state, liveness: noLiveness(false) });
    const asked = state.index.openQuestions.size;
    const shown = groupCounts(state).needs_you;
    if (words !== "waiting for you" || shown !== asked)
      this.world.violate(
        "ends",
        `it left to wait for ${asked} answers, and is shown as ${words}, ${shown} for you`,
      );
  }

  async #begin(coordinator: WatchedCoordinator): Promise<void> {
    const { plan } = this.world;
    const early: Command = { command: "pause", reason: "person", detail: "", by: plan.by };
    coordinator.submit(early);
    await coordinator.ports.repository.beginRun(plan.run, plan.base as never);
    coordinator.submit({ command: "start", run: plan });
    coordinator.submit({
      command: "open-session",
      pid: this.owner,
      version: "0",
      replayed: 0,
      recovered: [],
      isWorking: true,
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
    const isWorking = this.errand.purpose === "drive";
    const taking = { processes: { endMarked }, pid: this.owner, version: "0", recovered, isWorking };
    await takeOver(coordinator, taking);
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

  /** A failed disk is not our bug, nor is a lock that we took away. Everything else is. */
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
