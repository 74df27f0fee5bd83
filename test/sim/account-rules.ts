/**
 * Rules about accounts, checked on the log: while an account rests, none of its agents is given work, and no more of
 * them work at once than the limits it met allow.
 */
import type { Event } from "../../src/kernel/event.ts";
import type { Book } from "./book.ts";
import type { Violate } from "./violation.ts";

interface Account {
  atOnce: number;
  /** How many could work at once before the limit that it rests for. */
  before: number;
  replies: number;
  isResting: boolean;
  /** In run time; unknown after a new process has started. */
  until: number;
}

const limitCode = "AGENT_RATE_LIMIT";

export class AccountRules {
  readonly #accounts = new Map<string, Account>();
  readonly #out = new Set<string>();

  constructor(
    private readonly book: Book,
    private readonly violate: Violate,
  ) {}

  /** Call this before the book sees the event. `time` is run time. */
  see({ event, data }: Event, time: number): void {
    switch (event) {
      case "session_started":
        this.#out.clear();
        for (const account of this.#accounts.values()) account.until = 0;
        return;
      case "agent_crashed":
        if (data.code === limitCode) this.#limited(this.book.ofTurn(data.turn)?.turn?.agent);
        return;
      case "agent_rested": {
        if (data.account === undefined) return;
        const account = this.#of(data.account);
        account.until = Math.max(account.until, time + data.for_ms);
        return;
      }
      case "agent_ruled_out":
        this.#out.add(data.agent);
        if (data.code === limitCode) this.#notRested(data.agent);
        return;
      case "agent_returned":
        if (data.account === undefined) this.#out.delete(data.agent);
        else this.#returned(data.account, time);
        return;
      case "agent_complete":
        this.#replied(this.book.ofTurn(data.turn)?.turn?.agent);
        return;
      case "agent_dispatched":
        this.#dispatched(data.turn, data.agent);
        return;
      default:
    }
  }

  /** The turn that met the limit still counts as working in the book. An agent that is out does not rest. */
  #limited(agent: string | undefined): void {
    if (agent === undefined || this.#out.has(agent)) return;
    const name = this.#accountOf(agent);
    const account = this.#of(name);
    if (account.isResting) return;
    account.before = account.atOnce;
    account.isResting = true;
    account.until = 0;
    this.#allow(account, Math.max(1, Math.min(account.atOnce, Math.floor(this.#atWork(name) / 2))));
  }

  /** The agent met limits too often: a person is asked, and the other agents of the account are not held for it. */
  #notRested(agent: string): void {
    const account = this.#of(this.#accountOf(agent));
    account.isResting = false;
    account.atOnce = account.before;
  }

  #returned(name: string, time: number): void {
    const account = this.#of(name);
    if (time < account.until)
      this.violate("account", `${name} is back at ${time}, and should rest until ${account.until}`);
    account.isResting = false;
  }

  #replied(agent: string | undefined): void {
    if (agent === undefined) return;
    const account = this.#of(this.#accountOf(agent));
    if (account.isResting) return;
    account.replies += 1;
    if (account.replies === 3) this.#allow(account, account.atOnce + 1);
  }

  #dispatched(turn: string, agent: string): void {
    const name = this.#accountOf(agent);
    const { isResting, atOnce } = this.#of(name);
    if (isResting) this.violate("account", `${turn} is given to ${agent}, whose account ${name} rests`);
    const atWork = this.#atWork(name) + 1;
    if (atWork > atOnce)
      this.violate("account", `${turn} is the ${atWork}th of ${name}, which takes ${atOnce}`);
  }

  #allow(account: Account, atOnce: number): void {
    const slots = this.book.run?.settings.active_developers ?? 0;
    account.atOnce = atOnce < slots ? atOnce : Number.POSITIVE_INFINITY;
    account.replies = 0;
  }

  #atWork(name: string): number {
    return this.book.atWork.filter(({ turn }) => turn && this.#accountOf(turn.agent) === name).length;
  }

  #accountOf(agent: string): string {
    return this.book.run?.agents?.find(({ name }) => name === agent)?.account ?? agent;
  }

  #of(name: string): Account {
    const none = Number.POSITIVE_INFINITY;
    const account = this.#accounts.get(name) ?? {
      ...{ atOnce: none, before: none },
      ...{ replies: 0, isResting: false, until: 0 },
    };
    this.#accounts.set(name, account);
    return account;
  }
}
