/**
 * Rules about what replies leave open, checked on the log. The simulated agents report what they left; what the
 * coordinator says about it is not trusted.
 */
import type { Event } from "../../src/kernel/event.ts";
import type { Book } from "./book.ts";
import type { Violate } from "./violation.ts";

/** What a reply contains besides its work: a note, a request to another agent, or another role's signal. */
export interface Left {
  readonly words: string;
  /** Such a reply must not be accepted, whatever a person says. */
  readonly isForbidden?: true;
}

export class LeftRules {
  readonly #asked = new Map<string, { readonly task: string; readonly text: string }>();
  /** Questions put to a person and answered, by task. */
  readonly #answered = new Map<string, string[]>();

  constructor(
    private readonly book: Book,
    /** By turn. It survives every crash, as an agent's reply does. */
    private readonly left: ReadonlyMap<string, readonly Left[]>,
    private readonly violate: Violate,
  ) {}

  /** Call this before the book sees the event. */
  see(event: Event): void {
    switch (event.event) {
      case "agent_seeks_guidance": {
        const { question, task, text } = event.data;
        this.#asked.set(question, { task, text });
        return;
      }
      case "divine_response_received": {
        const asked = this.#asked.get(event.data.question);
        if (asked) this.#answered.set(asked.task, [...(this.#answered.get(asked.task) ?? []), asked.text]);
        return;
      }
      case "developer_ready_for_audit":
      case "audit_passed":
        this.#taken(event.data.task, event.event);
        return;
      default:
    }
  }

  /** If the verify commands alone pass a task, no reply is read. */
  #taken(task: string, event: string): void {
    const turn = this.book.entry(task).reply?.id;
    for (const { words, isForbidden } of this.left.get(turn ?? "") ?? []) {
      if (isForbidden) this.violate("left-open", `${event} of ${turn}, which says ${words}`);
      else if (!this.#answered.get(task)?.some((text) => text.includes(words)))
        this.violate("left-open", `${event} of ${turn}, and nobody answered: ${words}`);
    }
  }
}
