/**
 * Everything that outlives our processes: the disk, the repository, agents at work and the person; and the records that
 * observe them.
 */

import type { RunStarted } from "../../src/kernel/run-started.ts";
import type { CommitId, TreeId } from "../../src/std/object-id.ts";
import type { RunClock } from "../../src/world/time/run-clock.ts";
import type { ModelDisk } from "../crash/model-disk.ts";
import { Random } from "../crash/random.ts";
import { memoryJournal } from "../doubles/memory-journal.ts";
import { MemoryRepository } from "../doubles/memory-repository.ts";
import { Agents } from "./agents.ts";
import type { Coverage } from "./coverage.ts";
import { Ledger } from "./ledger.ts";
import { anyPlan, baseFiles } from "./plans.ts";
import { world as everybody, type Owner, Scheduler } from "./scheduler.ts";
import { type Invariant, Violation } from "./violation.ts";
import { Witness } from "./witness.ts";

/** How well things go. In fair weather everybody works, answers and stays alive. */
export interface Weather {
  isFair: boolean;
  /** How often a call fails because of the machine. */
  faults: number;
  /** How often a verify command fails for no reason. */
  flaky: number;
}

export class World {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly repository: MemoryRepository;
  readonly journal: ReturnType<typeof memoryJournal>;
  readonly archive = new Map<string, Uint8Array>();
  readonly ledger: Ledger;
  readonly agents: Agents;
  readonly witness: Witness;
  readonly weather: Weather;
  readonly plan: RunStarted;
  /** The clock of everything outside our processes. */
  readonly wall: RunClock;
  /** The process that writes the journal. */
  writer: Owner = 0;
  /** Whether the sandbox confines agents to their desks. */
  isConfined = true;
  /** A description of what the last crash left half written. */
  recovered: readonly string[] = [];
  /** The user's checkout as a disk; created by the first landing. */
  checkout: ModelDisk | undefined;
  violation: Violation | undefined;

  private constructor(
    seed: number,
    base: { commit: CommitId; tree: TreeId; repository: MemoryRepository },
    readonly coverage: Coverage,
    /** What happened, as lines; `undefined` to keep none. */
    readonly log: string[] | undefined,
  ) {
    this.random = new Random(seed);
    this.repository = base.repository;
    this.scheduler = new Scheduler(this.random, (line) => this.note(line));
    this.wall = this.scheduler.clockOf(everybody, 0);
    this.journal = memoryJournal({ sync: () => this.#sync() });
    this.weather = {
      isFair: false,
      faults: this.random.chance(0.3) ? 0.01 : 0,
      flaky: this.random.chance(0.3) ? 0.1 : 0,
    };
    this.plan = anyPlan(this.random, base);
    const violate = (invariant: Invariant, what: string) => this.violate(invariant, what);
    this.ledger = new Ledger(violate);
    this.witness = new Witness(this);
    this.agents = new Agents(this);
  }

  static async make(seed: number, coverage: Coverage, log: string[] | undefined): Promise<World> {
    const repository = new MemoryRepository(baseFiles());
    const { commit } = await repository.head();
    const tree = await repository.treeOf(commit);
    return new World(seed, { commit, tree, repository }, coverage, log);
  }

  note(line: string): void {
    this.log?.push(line);
  }

  /** Only the first violation counts; later ones may merely follow from it. */
  violate(invariant: Invariant, what: string): void {
    this.violation ??= new Violation(invariant, what);
    this.note(`! ${invariant}: ${what}`);
  }

  /** Whether the machine fails this time. */
  isFaulty(): boolean {
    return !this.weather.isFair && this.weather.faults > 0 && this.random.chance(this.weather.faults);
  }

  async #sync(): Promise<void> {
    const count = this.ledger.count;
    await this.scheduler.gate(this.writer, "sync");
    if (this.isFaulty()) throw Object.assign(new Error("input/output error"), { code: "EIO" });
    this.ledger.synced(count);
  }
}
