/** Rules about agents, checked on the log: who may be given work, and when a person is asked because nobody is left. */
import type { Event, EventOf } from "../../src/kernel/event.ts";
import type { Book } from "./book.ts";
import type { Violate } from "./violation.ts";

interface Away {
  /** In run time; infinite if a person must decide. */
  readonly until: number;
  readonly why: string;
}

export class AgentRules {
  /** Includes agents known to be away only because their turn failed. */
  readonly #away = new Map<string, Away>();
  /** Conversations that the log says are lost. */
  readonly #lost = new Set<string>();

  constructor(
    private readonly book: Book,
    private readonly violate: Violate,
  ) {}

  /** Call this before the book sees the event. `time` is run time. */
  see(event: Event, time: number): void {
    switch (event.event) {
      case "session_started":
        this.#away.clear();
        return;
      case "agent_crashed":
        this.#failed(event.data, time);
        return;
      case "agent_rested": {
        const { agent, for_ms, account } = event.data;
        if (account !== undefined) return;
        const before = this.#away.get(agent);
        const isLonger = before?.why === "rests" && before.until > time + for_ms;
        if (!isLonger) this.#away.set(agent, { until: time + for_ms, why: "rests" });
        return;
      }
      case "agent_ruled_out":
        this.#away.set(event.data.agent, { until: Number.POSITIVE_INFINITY, why: "is out" });
        return;
      case "agent_returned":
        if (event.data.account === undefined) this.#returned(event.data.agent, time);
        return;
      case "agent_dispatched":
        this.#dispatched(event.data);
        return;
      case "question_asked":
        if (event.data.agents) this.#asked(event.data);
        return;
      default:
    }
  }

  /**
   * An agent whose server fails, or that is not installed or signed in, must not be given work again at once, whatever
   * else is recorded. For rate limits see `AccountRules`.
   */
  #failed({ turn, code }: EventOf<"agent_crashed">["data"], time: number): void {
    const { agent, resumes } = this.book.ofTurn(turn)?.turn ?? {};
    if (code === "AGENT_SESSION_LOST" && resumes !== undefined) this.#lost.add(resumes);
    if (agent === undefined || this.#away.has(agent)) return;
    if (code === "AGENT_API") this.#away.set(agent, { until: time, why: code });
    if (["AGENT_NOT_INSTALLED", "AGENT_NOT_SIGNED_IN"].includes(code))
      this.#away.set(agent, { until: Number.POSITIVE_INFINITY, why: code });
  }

  #returned(agent: string, time: number): void {
    const away = this.#away.get(agent);
    if (away && away.why === "rests" && time < away.until)
      this.violate("away", `${agent} is back at ${time}, and should rest until ${away.until}`);
    this.#away.delete(agent);
  }

  #dispatched({ turn, task, role, agent, resumes }: EventOf<"agent_dispatched">["data"]): void {
    if (resumes !== undefined && this.#lost.has(resumes))
      this.violate("conversation", `${turn} goes on with ${resumes}, which is lost`);
    const { facts, author } = this.book.entry(task);
    const away = this.#away.get(agent);
    if (away) this.violate("away", `${turn} is given to ${agent}, who is away: ${away.why}`);
    const order =
      role === "developer" ? (facts.agents ?? [facts.agent]) : (facts.auditors ?? [facts.auditor]);
    if (!order.includes(agent)) this.violate("own-judge", `${turn} is given to ${agent}, whom nobody named`);
    if (role === "auditor" && agent === author)
      this.violate("own-judge", `${turn} is given to ${agent}, who wrote it`);
  }

  #asked({ question, task }: EventOf<"question_asked">["data"]): void {
    const { facts, work, author, unfit } = this.book.entry(task);
    const role = work === undefined ? "developer" : "auditor";
    const order =
      role === "developer" ? (facts.agents ?? [facts.agent]) : (facts.auditors ?? [facts.auditor]);
    const left = order.filter(
      (agent = "") =>
        this.#away.get(agent)?.until !== Number.POSITIVE_INFINITY &&
        !unfit.has(`${role} ${agent}`) &&
        !(role === "auditor" && agent === author),
    );
    if (left.length > 0) this.violate("last-resort", `${question} is asked, and ${left.join(", ")} is left`);
  }
}
