/** Everything that outlives a process of ours: the disk, the repository, agents at work, the person; and what is seen of it. */
import { MemoryRepository } from "../../src/git/memory-repository.ts";
import { memoryJournal } from "../../src/journal/memory-journal.ts";
import type { RunStarted } from "../../src/kernel/run-started.ts";
import type { RunClock } from "../../src/world/run-clock.ts";
import type { ModelDisk } from "../crash/model-disk.ts";
import { Random } from "../crash/random.ts";
import { Agents } from "./agents.ts";
import type { Coverage } from "./coverage.ts";
import { Ledger } from "./ledger.ts";
import { anyPlan, baseFiles } from "./plans.ts";
import { world as everybody, type Owner, Scheduler } from "./scheduler.ts";
import { type Invariant, Violation } from "./violation.ts";
import { Witness } from "./witness.ts";

/** How things go. In fair weather everybody works, answers and stays alive. */
export interface Weather {
  isFair: boolean;
  /** How often a call fails for a reason of the machine. */
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
  /** Time for everything that is no process of ours. */
  readonly wall: RunClock;
  /** The process that writes the journal. */
  writer: Owner = 0;
  /** Whether the machine holds agents to their desks. */
  isConfined = true;
  /** What the last crash left half written, in words. */
  recovered: readonly string[] = [];
  /** The user's checkout as a disk, once somebody lands. */
  checkout: ModelDisk | undefined;
  violation: Violation | undefined;

  private constructor(
    seed: number,
    base: { commit: string; tree: string; repository: MemoryRepository },
    readonly coverage: Coverage,
    /** What happened, in lines; nothing is kept without it. */
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

  /** The first one counts: what follows it may be mere consequence. */
  violate(invariant: Invariant, what: string): void {
    this.violation ??= new Violation(invariant, what);
    this.note(`! ${invariant}: ${what}`);
  }

  /** Whether a machine does not do what it should, this once. */
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
