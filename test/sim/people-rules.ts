/** Rules about people, checked on the log: each thing is asked and decided once, and when a task may give up. */
import type { Event } from "../../src/kernel/event.ts";
import type { Book } from "./book.ts";
import type { Violate } from "./violation.ts";

export class PeopleRules {
  readonly #asked = new Set<string>();
  readonly #decided = new Set<string>();
  /** Each request with the decision it was part of. */
  readonly #requests = new Map<string, number>();
  /** `sha256 path` of each change that a person allowed. */
  readonly allowed = new Set<string>();
  readonly #items = new Map<string, readonly string[]>();
  #last: Event | undefined;

  constructor(
    private readonly book: Book,
    private readonly violate: Violate,
  ) {}

  /** Call this before the book sees the event. `decision` is the number of the batch recorded together. */
  see(event: Event, decision: number): void {
    this.#request(event, decision);
    switch (event.event) {
      case "confirmation_requested": {
        const items = event.data.items.map(({ sha256, path }) => `${sha256} ${path}`);
        this.#items.set(event.data.question, items);
        this.#ask(event.data.question);
        break;
      }
      case "agent_seeks_guidance":
      case "question_asked":
        this.#ask(event.data.question);
        break;
      case "confirmation_given":
        for (const item of this.#items.get(event.data.question) ?? []) this.allowed.add(item);
        this.#decide(event.data.question);
        break;
      case "divine_response_received":
      case "confirmation_denied":
      case "question_withdrawn":
        this.#decide(event.data.question);
        break;
      case "task_failed":
        this.#fails(event.data.task);
        break;
      case "task_retried":
        if (!this.book.entry(event.data.task).hasFailed)
          this.violate("held", `${event.data.task} is tried again and has not failed`);
        break;
      default:
    }
    this.#last = event;
  }

  #ask(question: string): void {
    if (this.#asked.has(question)) this.violate("held", `${question} was asked twice`);
    this.#asked.add(question);
  }

  #decide(question: string): void {
    if (!this.#asked.has(question)) this.violate("held", `${question} was decided and never asked`);
    if (this.#decided.has(question)) this.violate("held", `${question} was decided twice`);
    this.#decided.add(question);
  }

  /** A task may fail because of its own failures, its budget, or a person's decision. */
  #fails(task: string): void {
    const { facts, blame } = this.book.entry(task);
    const settings = this.book.run?.settings;
    if (!settings || facts.budget || this.#last?.event === "divine_response_received") return;
    const { reply_attempts, turn_attempts, audit_attempts } = settings;
    const least = Math.min(reply_attempts, turn_attempts, facts.attempts ?? audit_attempts);
    if (blame < least)
      this.violate("limits", `${task} gave up after ${blame} failures, the limit is ${least}`);
  }

  #request({ data }: Event, decision: number): void {
    const request = "by" in data && typeof data.by === "object" ? data.by.request : undefined;
    if (request === undefined) return;
    const before = this.#requests.get(request);
    if (before !== undefined && before !== decision) this.violate("request-once", `${request} counted twice`);
    this.#requests.set(request, decision);
  }
}
