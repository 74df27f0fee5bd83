/** Rules about turns, checked on the log: what may begin, and that each reply has exactly one consequence. */
import type { Event, Events } from "../../src/kernel/event.ts";
import type { Book, Entry } from "./book.ts";
import type { Violate } from "./violation.ts";

export class TurnRules {
  readonly #seen = new Set<string>();
  readonly #begun = new Set<string>();

  constructor(
    private readonly book: Book,
    private readonly violate: Violate,
  ) {}

  /** Call this before the book sees the event. `time` is run time. */
  see(event: Event, time: number): void {
    const { book, violate } = this;
    switch (event.event) {
      case "agent_dispatched":
        this.#dispatched(event.data, time);
        return;
      case "agent_complete":
      case "agent_timeout":
      case "agent_crashed":
      case "agent_cancelled":
        if (!book.ofTurn(event.data.turn)) violate("read-once", `${event.data.turn} ended twice`);
        return;
      case "reply_refused":
      case "confirmation_requested":
        this.#reads(book.entry(event.data.task), event.event, event.data.turn);
        return;
      case "developer_ready_for_audit":
      case "task_incomplete":
      case "agent_seeks_guidance":
      case "auditor_blocked":
        this.#reads(book.entry(event.data.task), event.event);
        return;
      case "audit_passed":
      case "auditor_fail": {
        const entry = book.entry(event.data.task);
        const { auditor, auditors = [auditor] } = entry.facts;
        if (auditors.includes(event.data.by)) this.#reads(entry, event.event);
        return;
      }
      default:
    }
  }

  #dispatched({ turn, task, role, agent, timeout_ms }: Events["agent_dispatched"], time: number): void {
    const { book, violate } = this;
    const entry = book.entry(task);
    const ofAgent = book.run?.agents?.find(({ name }) => name === agent)?.timeout_ms;
    const limit = entry.facts.timeout_ms ?? ofAgent ?? book.run?.settings.turn_timeout_ms;
    if (timeout_ms !== limit) violate("time-limit", `${turn} may take ${timeout_ms} ms and not ${limit}`);
    if (this.#seen.has(turn)) violate("one-start", `${turn} was dispatched twice`);
    this.#seen.add(turn);
    if (entry.turn) violate("one-agent", `${turn} was dispatched while ${entry.turn.id} is at work`);
    if (entry.reply) violate("read-once", `${turn} was dispatched before ${entry.reply.id} was read`);
    if (entry.isComplete) violate("effect-once", `${turn} was dispatched for a task that is complete`);
    if (role === "auditor" && entry.work === undefined) violate("passed", `${turn} has nothing to judge`);
    this.#isFree(entry, turn);
    if (!this.#begun.has(task)) this.#finishedFirst(turn);
    this.#begun.add(task);
    this.#isAffordable(turn, time);
    for (const { facts } of book.atWork) {
      const both = [...facts.writes, ...facts.shares].filter(
        (name) => entry.facts.writes.includes(name) || entry.facts.shares.includes(name),
      );
      if (both.length > 0) violate("claims", `${task} and ${facts.task} both have ${both.join(", ")}`);
    }
  }

  #isFree({ facts, hasFailed }: Entry, turn: string): void {
    const { book, violate } = this;
    const slots = book.run?.settings.active_developers ?? 0;
    if (book.atWork.length >= slots) violate("slots", `${turn} is one more than ${slots}`);
    for (const id of facts.depends_on) {
      const { isComplete, isReverting } = book.entry(id);
      if (!isComplete || isReverting) violate("dependencies-first", `${turn} before ${id}`);
    }
    if (book.status !== "running") violate("held", `${turn} was dispatched, and the run is ${book.status}`);
    if (hasFailed) violate("held", `${turn} was dispatched for a task that failed`);
    if ([...book.questions.values()].includes(facts.task))
      violate("held", `${turn} was dispatched for a task that waits for an answer`);
    if (book.run?.settings.on_question === "hold-all" && book.questions.size > 0)
      violate("held", `${turn} was dispatched while a question holds all`);
  }

  #finishedFirst(turn: string): void {
    const waiting = [...this.book.tasks.values()].filter(
      ({ passed, isComplete, hasFailed }) => passed !== undefined && !isComplete && !hasFailed,
    );
    if (waiting.length > (this.book.run?.settings.active_developers ?? 0))
      this.violate("finished-first", `${turn} was dispatched while ${waiting.length} wait for the branch`);
  }

  /**
   * The budget must cover what was spent plus a reserve for each agent at work, as large as the most expensive turn so
   * far.
   */
  #isAffordable(turn: string, time: number): void {
    const { budget, spent, atWork } = this.book;
    const over = (limit: number | undefined, amount: number) => limit !== undefined && amount >= limit;
    const isSpent =
      over(budget.turns, spent.turns + atWork.length) ||
      over(budget.timeMs, time) ||
      over(budget.tokens, spent.tokens + atWork.length * spent.turnTokensMax) ||
      over(budget.usdMicros, spent.usdMicros + atWork.length * spent.turnUsdMicrosMax);
    if (isSpent)
      this.violate("budget", `${turn} was dispatched with ${JSON.stringify({ budget, spent, time })}`);
  }

  #reads({ facts, reply }: Entry, event: string, turn?: string): void {
    if (!reply) this.violate("read-once", `${event} of ${facts.task}, and no reply waits to be read`);
    else if (turn !== undefined && reply.id !== turn)
      this.violate("read-once", `${event} of ${turn}, and the reply that waits is of ${reply.id}`);
  }
}
