/**
 * The simulation's own copy of the log: what was appended, how much of it is durable, and what was reported to anyone.
 * It survives every crash, and what a new process reads is compared with it.
 */
import type { Recorded } from "../../src/journal/journal.ts";
import { evolve } from "../../src/kernel/evolve.ts";
import { initialState } from "../../src/kernel/initial.ts";
import type { MutableState } from "../../src/kernel/state.ts";
import { AccountRules } from "./account-rules.ts";
import { AgentRules } from "./agent-rules.ts";
import { Book } from "./book.ts";
import { BranchRules } from "./branch-rules.ts";
import { DurableFacts } from "./durable-facts.ts";
import { type Left, LeftRules } from "./left-rules.ts";
import { PeopleRules } from "./people-rules.ts";
import { RecordRules } from "./record-rules.ts";
import { TurnRules } from "./turn-rules.ts";
import type { Violate } from "./violation.ts";

export class Ledger {
  /** Each event as serialized. */
  #lines: string[] = [];
  #durable = 0;
  #told = 0;
  #compared = 0;
  /** The number of events after each decision. */
  #decisions = [0];
  book = new Book();
  facts = new DurableFacts();
  shadow: MutableState = initialState();
  branch: BranchRules;
  people: PeopleRules;
  #turns: TurnRules;
  #agents: AgentRules;
  #accounts: AccountRules;
  #records: RecordRules;
  #left: LeftRules;
  /** What the replies of turns leave open, as the agents themselves report it. */
  readonly #leftBy = new Map<string, readonly Left[]>();

  constructor(private readonly violate: Violate) {
    this.branch = new BranchRules(this.book, violate);
    this.people = new PeopleRules(this.book, violate);
    this.#turns = new TurnRules(this.book, violate);
    this.#agents = new AgentRules(this.book, violate);
    this.#accounts = new AccountRules(this.book, violate);
    this.#records = new RecordRules(violate);
    this.#left = new LeftRules(this.book, this.#leftBy, violate);
  }

  /** Called by an agent together with its reply. */
  leaves(turn: string, left: readonly Left[]): void {
    this.#leftBy.set(turn, left);
  }

  get count(): number {
    return this.#lines.length;
  }

  get durable(): number {
    return this.#durable;
  }

  appended(recorded: readonly Recorded[]): void {
    for (const one of recorded) {
      if (one.seq !== this.#lines.length + 1)
        this.violate("kept", `number ${one.seq} after ${this.#lines.length}`);
      const line = JSON.stringify(one);
      this.#lines.push(line);
      this.#see(JSON.parse(line) as Recorded, this.#decisions.length);
    }
  }

  /** Everything appended since the last call is one decision. */
  decided(): void {
    this.#decisions.push(this.#lines.length);
  }

  /** The first `count` events are now durable. */
  synced(count: number): void {
    for (const line of this.#lines.slice(this.#durable, count)) this.facts.see(JSON.parse(line) as Recorded);
    this.#durable = Math.max(this.#durable, count);
  }

  told(recorded: readonly Recorded[]): void {
    for (const { seq, event } of recorded) {
      if (seq > this.#durable) this.violate("told-durable", `${event} (${seq}) of ${this.#durable} durable`);
      this.#told = Math.max(this.#told, seq);
    }
  }

  /** Compares what a new process read. Events that were compared before are compared again only at the end. */
  reopened(recorded: readonly Recorded[], from = this.#compared): void {
    if (recorded.length < this.#durable || recorded.length < this.#told)
      this.violate("kept", `${recorded.length} events are left of ${this.#durable} durable ones`);
    if (recorded.length > this.#lines.length)
      this.violate("one-writer", `${recorded.length} events are there, ${this.#lines.length} were appended`);
    recorded.slice(from).forEach((one, index) => {
      const at = from + index;
      if (JSON.stringify(one) !== this.#lines[at])
        this.violate("kept", `event ${at + 1} is another: ${one.event}`);
    });
    if (!this.#decisions.includes(recorded.length))
      this.violate("whole-decision", `${recorded.length} events are left, in the middle of a decision`);
    if (recorded.length < this.#lines.length) this.#begin(recorded.length);
    this.synced(recorded.length);
    this.#compared = recorded.length;
  }

  /** Starts over with the first `count` events; the lost ones count as never written. */
  #begin(count: number): void {
    const lines = this.#lines.slice(0, count);
    this.#lines = [];
    this.#decisions = this.#decisions.filter((end) => end <= count);
    this.book = new Book();
    this.branch = new BranchRules(this.book, this.violate);
    this.people = new PeopleRules(this.book, this.violate);
    this.#turns = new TurnRules(this.book, this.violate);
    this.#agents = new AgentRules(this.book, this.violate);
    this.#accounts = new AccountRules(this.book, this.violate);
    this.#records = new RecordRules(this.violate);
    this.#left = new LeftRules(this.book, this.#leftBy, this.violate);
    this.shadow = initialState();
    let decision = 0;
    for (const line of lines) {
      while ((this.#decisions[decision] ?? count) <= this.#lines.length) decision += 1;
      this.#lines.push(line);
      this.#see(JSON.parse(line) as Recorded, decision);
    }
  }

  /** The state folded again from every event. */
  refolded(): MutableState {
    const state = initialState();
    for (const line of this.#lines) evolve(state, JSON.parse(line) as Recorded);
    return state;
  }

  #see(one: Recorded, decision: number): void {
    this.#turns.see(one, one.time);
    this.#agents.see(one, one.time);
    this.#accounts.see(one, one.time);
    this.#left.see(one);
    this.branch.see(one);
    this.people.see(one, decision);
    this.#records.see(one);
    this.book.see(one);
    evolve(this.shadow, one);
  }
}
