/**
 * Plays one run from one seed, through everything that can happen to it, to its end. First comes whatever the seed
 * chooses: crashes, races, faults, agents and a person in any mood. Then fair weather, in which a run must reach its
 * end.
 */
import { LockHeld } from "../../src/durable/lock.ts";
import { fromSnapshot, toSnapshot } from "../../src/kernel/snapshot.ts";
import type { MutableState } from "../../src/kernel/state.ts";
import type { Coverage } from "./coverage.ts";
import { Person, type PersonCommand } from "./person.ts";
import { pick } from "./plans.ts";
import { type Errand, Process } from "./process.ts";
import { quiet } from "./scheduler.ts";
import type { Violation } from "./violation.ts";
import { World } from "./world.ts";

export interface Simulated {
  readonly outcome: string;
  readonly steps: number;
  readonly events: number;
  readonly violation: Violation | undefined;
}

export async function simulate(seed: number, coverage: Coverage, log?: string[]): Promise<Simulated> {
  const world = await World.make(seed, coverage, log);
  const onRejection = (error: unknown) =>
    world.violate("unthrown", `nobody caught: ${error instanceof Error ? error.stack : String(error)}`);
  process.on("unhandledRejection", onRejection);
  try {
    await new Simulation(world).run();
  } finally {
    process.off("unhandledRejection", onRejection);
  }
  const { status } = world.ledger.shadow;
  const outcome = status.name === "finished" ? status.outcome : status.name;
  return { outcome, steps: world.scheduler.steps, events: world.ledger.count, violation: world.violation };
}

/** In fair weather every run ends long before this. */
const fairStepsMax = 8_000;

class Simulation {
  readonly #person: Person;
  readonly #dangers: { crash: number; whim: number; race: number; loss: number; branch: number };
  #process: Process | undefined;
  #stale: Process | undefined;
  #owners = 0;
  #kept: { seq: number; state: unknown } | undefined;
  /** Where the branch was before somebody moved it. */
  #branchWas: { from: string; to: string } | undefined;

  constructor(private readonly world: World) {
    const { random } = world;
    this.#person = new Person(world);
    this.#dangers = {
      crash: pick(random, [0, 0.003, 0.01, 0.03]),
      whim: pick(random, [0.005, 0.02, 0.05]),
      race: 0.01,
      loss: random.chance(0.2) ? 0.005 : 0,
      branch: random.chance(0.1) ? 0.01 : 0,
    };
  }

  async run(): Promise<void> {
    const { world } = this;
    for (let left = 40 + world.random.below(220); left > 0 && !world.violation; left--) {
      if (this.#isOver() && world.random.chance(0.2)) break;
      await this.#chaos();
    }
    await this.#fair();
    if (!world.violation && world.random.chance(0.3)) await this.#afterwards();
    await this.#end();
  }

  async #chaos(): Promise<void> {
    const { world } = this;
    const { random } = world;
    if (!this.#process || this.#process.isDead) return this.#open(this.#anyErrand());
    if (random.chance(this.#crashRisk())) return this.#crash();
    if (random.chance(this.#dangers.whim)) this.#say(this.#person.whim());
    if (random.chance(this.#dangers.race)) this.#race();
    if (random.chance(this.#dangers.loss)) return this.#loseLock();
    if (random.chance(this.#dangers.branch)) await this.#moveBranch();
    if (!(await world.scheduler.step())) this.#say(this.#person.whim());
    this.#look();
  }

  /** A landing is short, so crashes are more likely in it. */
  #crashRisk(): number {
    const { crash } = this.#dangers;
    return this.#process?.errand.purpose === "land" ? Math.min(0.2, crash * 20) : crash;
  }

  #anyErrand(): Errand {
    const { world } = this;
    const { random } = world;
    const leaveWhenWaiting = random.chance(0.5);
    const { status } = world.ledger.shadow;
    if (status.name === "none") return { purpose: "drive", leaveWhenWaiting };
    if (status.name === "running" && random.chance(0.7)) return { purpose: "drive", leaveWhenWaiting };
    if (random.chance(0.1)) return { purpose: "land", leaveWhenWaiting };
    const command = this.#person.whim();
    const purpose = command.command === "rollback" ? "take-back" : random.chance(0.3) ? "record" : "drive";
    return { command, purpose, leaveWhenWaiting };
  }

  async #open(errand: Errand): Promise<void> {
    const { world } = this;
    const kept = this.#keptState();
    this.#process = new Process(world, ++this.#owners, errand);
    world.note(`process ${this.#owners} starts: ${JSON.stringify(errand).slice(0, 200)}`);
    if (errand.command?.command === "resume") void this.#putBranchBack();
    this.#process.start(kept);
    world.recovered = [];
    if (this.#stale) this.#stale.insist();
    this.#stale = undefined;
    await quiet();
  }

  /** Sometimes a process starts from a snapshot, which contains only what was durable. */
  #keptState(): MutableState | undefined {
    const { ledger, random, coverage } = this.world;
    if (random.chance(0.7)) return undefined;
    if (ledger.durable === ledger.count && ledger.count > 0)
      this.#kept = { seq: ledger.count, state: toSnapshot(ledger.shadow) };
    if (!this.#kept || random.chance(0.5)) return undefined;
    coverage.deed("opened from a snapshot");
    return fromSnapshot(JSON.parse(JSON.stringify(this.#kept.state)));
  }

  #crash(): void {
    const { world } = this;
    const { unsettled } = world.journal;
    const survive = world.random.below(unsettled + 1);
    world.coverage.deed(this.#process?.isOpen ? "crash" : "crash while opening");
    if (survive > 0) world.coverage.deed("kept what was not durable");
    if (survive < unsettled) {
      world.coverage.deed("lost what was not durable");
      world.recovered = ["the last batch was not whole and was put aside"];
    }
    world.note(`process ${this.#process?.owner} is killed; ${survive} of ${unsettled} survive`);
    this.#process?.kill(survive);
    this.#process = undefined;
  }

  #say(command: PersonCommand): void {
    const { coordinator, isOpen, isDead } = this.#process ?? {};
    if (!coordinator || !isOpen || isDead) return;
    this.world.note(`the person says ${JSON.stringify(command).slice(0, 200)}`);
    if (command.command === "resume") void this.#putBranchBack();
    try {
      coordinator.submit(command);
      coordinator.durable().catch(() => {});
    } catch (error) {
      // As the code that serves the inbox does.
      coordinator.fail(error);
    }
  }

  #race(): void {
    const { world } = this;
    try {
      new Process(world, ++this.#owners, { purpose: "drive", leaveWhenWaiting: true }).start();
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error;
      world.coverage.deed("second writer refused");
      return;
    }
    world.violate("one-writer", "a second writer was let in");
  }

  #loseLock(): void {
    this.world.note(`process ${this.#process?.owner} loses its lock`);
    this.#process?.loseLock();
    this.#stale = this.#process;
    this.#process = undefined;
  }

  async #moveBranch(): Promise<void> {
    const { world } = this;
    if (this.#branchWas) return;
    const from = await world.repository.tip(world.plan.run);
    if (from === undefined) return;
    const { tree } = world.repository.factsOf(from);
    const author = { name: "somebody", email: "somebody@localhost" };
    const to = await world.repository.commitTree({ tree, parents: [from], message: "mine", author, time: 0 });
    await world.repository.advance(world.plan.run, { from, to });
    world.coverage.deed("branch moved by somebody");
    world.note(`somebody moves the branch to ${to}`);
    this.#branchWas = { from, to };
  }

  async #putBranchBack(): Promise<void> {
    const was = this.#branchWas;
    if (!was) return;
    this.#branchWas = undefined;
    await this.world.repository.advance(this.world.plan.run, {
      from: was.to as never,
      to: was.from as never,
    });
  }

  /** Checks whether the process has ended by itself. */
  #look(): void {
    const process = this.#process;
    this.world.witness.everybodyIsWanted();
    if (process?.ending === undefined) return;
    // A failed disk releases nothing, so treat it like a power cut.
    if (process.ending === "failed") this.#crash();
    else this.world.coverage.deed("process left and came back");
    this.#process = undefined;
  }

  async #fair(): Promise<void> {
    const { world } = this;
    world.weather.isFair = true;
    world.scheduler.paceMs = 20;
    await this.#putBranchBack();
    for (let left = fairStepsMax; !world.violation; left--) {
      if (this.#isOver() && world.ledger.shadow.queue.length === 0) return;
      if (left === 0) world.violate("ends", `it has not after ${fairStepsMax} fair steps: ${this.#where()}`);
      else await this.#fairStep(left);
    }
  }

  #isOver(): boolean {
    return !this.#process && this.world.ledger.shadow.status.name === "finished";
  }

  async #fairStep(left: number): Promise<void> {
    const { world } = this;
    if (!this.#process) {
      const command = this.#person.help();
      const purpose = world.ledger.shadow.status.name === "finished" ? "take-back" : "drive";
      return this.#open({ ...(command ? { command } : {}), purpose, leaveWhenWaiting: false });
    }
    const isMoving = await world.scheduler.step();
    this.#look();
    if (isMoving && left % 20 !== 0) return;
    const command = this.#person.help();
    if (command) this.#say(command);
    else if (!isMoving && this.#process)
      world.violate("ends", `nothing happens any more, and nobody is asked: ${this.#where()}`);
  }

  #where(): string {
    const { tasks, status, queue } = this.world.ledger.shadow;
    const phases = [...tasks.values()].map(({ facts, phase }) => `${facts.task} ${JSON.stringify(phase)}`);
    return `${JSON.stringify(status)} ${JSON.stringify(queue)} ${phases.join(", ")}`;
  }

  /** Lands a finished run, or rolls part of it back and does it again. */
  async #afterwards(): Promise<void> {
    const { world } = this;
    const errand = (purpose: Errand["purpose"], command?: Errand["command"]) =>
      this.#open({ purpose, leaveWhenWaiting: true, ...(command ? { command } : {}) });
    if (world.random.chance(0.5)) await errand("land");
    else {
      const by = { who: "ana", door: "terminal", request: "afterwards" } as const;
      const { task } = pick(world.random, world.plan.tasks);
      await errand("take-back", { command: "rollback", task, cascade: true, by });
    }
    for (let left = fairStepsMax; this.#process && left > 0 && !world.violation; left--) {
      await world.scheduler.step();
      this.#look();
    }
    await this.#fair();
  }

  async #end(): Promise<void> {
    const { world } = this;
    if (world.violation) return;
    await world.witness.branchIsLog();
    const refolded = JSON.stringify(toSnapshot(world.ledger.refolded()));
    if (refolded !== JSON.stringify(toSnapshot(world.ledger.shadow)))
      world.violate("replay", "the whole log makes another state than its parts did");
    if (world.agents.live.size > 0) world.violate("nobody-left", "the run is over and somebody is at work");
    world.ledger.reopened(world.journal.survivors(), 0);
  }
}
