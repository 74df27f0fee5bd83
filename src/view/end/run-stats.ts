/**
 * What a run took, by agent and by task: turns, attempts, refusals, time, tokens, money. Counted from the recorded
 * events, so that it includes what the state no longer needs.
 */
import type { TurnId, TurnSpending } from "../../kernel/event.ts";
import type { Occurred } from "../../kernel/evolve.ts";
import { isCostKnown } from "../../kernel/rules/run/known-cost.ts";
import { type Cost, type CostDocument, costDocument, costOf } from "../cost/cost.ts";

export interface RunStats {
  readonly total: RunFigures;
  /** By name, the most expensive first. */
  readonly agents: readonly (RunFigures & { readonly agent: string })[];
  /** In the order in which work on them started. */
  readonly tasks: readonly (RunFigures & { readonly task: string; readonly committed: boolean })[];
  /** Models that were used and have no price; their cost is not counted. */
  readonly unpriced: readonly string[];
}

export interface RunFigures {
  readonly turns: number;
  /** Turns that ended without a reply: timed out, stalled, or crashed. */
  readonly lost_turns: number;
  readonly refused_replies: number;
  /** Attempts at tasks; for an agent, those that it started. */
  readonly attempts: number;
  readonly failed_audits: number;
  readonly conflicts: number;
  /** Runs of verify commands that did not pass. */
  readonly verification_failures: number;
  /** Files in work that was handed in and committed. */
  readonly promised_files: number;
  /** Those of them that are really in a commit of the run. */
  readonly persisted_files: number;
  readonly commits: number;
  readonly questions: number;
  readonly ms: number;
  readonly tokens: number;
  /** The known cost. */
  readonly usd_micros: number;
  /** Turns whose cost is not, or not fully, known. */
  readonly turns_of_unknown_cost: number;
  /** The part of it that was estimated from a price table. */
  readonly usd_micros_estimated: number;
}

export function runStats(events: Iterable<Occurred>): RunStats {
  const count = new Count();
  for (const event of events) count.add(event);
  return count.stats();
}

export function costOfFigures(figures: RunFigures): Cost {
  return costOf({
    usdMicros: figures.usd_micros,
    usdMicrosEstimated: figures.usd_micros_estimated,
    turnsOfUnknownCost: figures.turns_of_unknown_cost,
  });
}

/** For programs: an unknown cost is not zero. */
export function figuresDocument<T extends RunFigures>(figures: T): Omit<T, "usd_micros"> & CostDocument {
  return { ...figures, ...costDocument(costOfFigures(figures)) };
}

type Sum = { -readonly [Name in keyof RunFigures]: RunFigures[Name] };

class Count {
  readonly #total = noFigures();
  readonly #agents = new Map<string, Sum>();
  readonly #tasks = new Map<string, Sum & { committed: boolean }>();
  readonly #turns = new Map<TurnId, { readonly task: string; readonly agent: string }>();
  /** The last developer of each task: its findings are about that developer's work. */
  readonly #developers = new Map<string, string>();
  readonly #attempts = new Set<string>();
  readonly #promised = new Map<string, readonly string[]>();
  /** Every path in any commit of the run. */
  readonly #paths = new Set<string>();
  readonly #unpriced = new Set<string>();

  add(occurred: Occurred): void {
    const { event, data } = occurred;
    switch (event) {
      case "agent_dispatched":
        this.#turns.set(data.turn, { task: data.task, agent: data.agent });
        this.#each(data.task, data.agent, (sum) => {
          sum.turns += 1;
        });
        break;
      case "developer_dispatched":
        this.#developers.set(data.task, data.agent);
        this.#begun(data.task, data.agent, data.attempt);
        break;
      case "agent_complete":
      case "agent_cancelled":
        this.#ended(data.turn, data.spent, false);
        break;
      case "agent_timeout":
      case "agent_crashed":
        this.#ended(data.turn, data.spent, true);
        break;
      case "reply_refused":
        this.#each(data.task, this.#turns.get(data.turn)?.agent, (sum) => {
          sum.refused_replies += 1;
        });
        break;
      case "auditor_fail":
        this.#ofDeveloper(data.task, "failed_audits");
        break;
      case "integration_conflicted":
        this.#ofDeveloper(data.task, "conflicts");
        break;
      case "agent_seeks_guidance":
      case "question_asked":
      case "confirmation_requested":
        this.#ofDeveloper(data.task, "questions");
        break;
      case "developer_ready_for_audit":
        this.#promised.set(data.task, data.files);
        break;
      case "verification_failed":
        if ("task" in data.work) this.#ofDeveloper(data.work.task, "verification_failures");
        // A failure before any agent worked says nothing about the crew.
        else if (data.work.of !== "base") this.#total.verification_failures += 1;
        break;
      case "task_commit_recorded":
        this.#ofDeveloper(data.task, "commits");
        this.#committed(data.task, data.files_modified);
        this.#task(data.task).committed = true;
        break;
      case "task_rolled_back":
        this.#task(data.task).committed = false;
        break;
      default:
    }
  }

  stats(): RunStats {
    return {
      total: this.#total,
      agents: [...this.#agents]
        .map(([agent, sum]) => ({ agent, ...sum }))
        .sort(
          (one, other) => other.usd_micros - one.usd_micros || other.tokens - one.tokens || other.ms - one.ms,
        ),
      tasks: [...this.#tasks].map(([task, sum]) => ({ task, ...sum })),
      unpriced: [...this.#unpriced],
    };
  }

  /** Another turn of an attempt already counted is not another attempt. */
  #begun(task: string, agent: string, attempt: number): void {
    const key = `${attempt} ${task}`;
    if (this.#attempts.has(key)) return;
    this.#attempts.add(key);
    this.#each(task, agent, (sum) => {
      sum.attempts += 1;
    });
  }

  #ended(turn: TurnId, spent: TurnSpending, isLost: boolean): void {
    const known = this.#turns.get(turn);
    this.#each(known?.task, known?.agent, (sum) => {
      if (isLost) sum.lost_turns += 1;
      sum.ms += spent.ms;
      sum.tokens += spent.tokens ?? 0;
      sum.usd_micros += spent.usd_micros ?? 0;
      if (!isCostKnown(spent)) sum.turns_of_unknown_cost += 1;
      if (spent.usd_estimated) sum.usd_micros_estimated += spent.usd_micros ?? 0;
    });
    for (const model of spent.unpriced ?? []) this.#unpriced.add(model);
  }

  /** A file that another task had already committed unchanged is in no second commit, but it still exists. */
  #committed(task: string, files: readonly string[]): void {
    for (const path of files) this.#paths.add(path);
    const promised = this.#promised.get(task) ?? [];
    const persisted = promised.filter((path) => this.#paths.has(path)).length;
    this.#each(task, this.#developers.get(task), (sum) => {
      sum.promised_files += promised.length;
      sum.persisted_files += persisted;
    });
  }

  #ofDeveloper(
    task: string,
    name: "failed_audits" | "conflicts" | "verification_failures" | "questions" | "commits",
  ): void {
    this.#each(task, this.#developers.get(task), (sum) => {
      sum[name] += 1;
    });
  }

  #each(task: string | undefined, agent: string | undefined, add: (sum: Sum) => void): void {
    add(this.#total);
    if (task !== undefined) add(this.#task(task));
    if (agent === undefined) return;
    const sum = this.#agents.get(agent) ?? noFigures();
    this.#agents.set(agent, sum);
    add(sum);
  }

  #task(task: string): Sum & { committed: boolean } {
    const sum = this.#tasks.get(task) ?? { ...noFigures(), committed: false };
    this.#tasks.set(task, sum);
    return sum;
  }
}

function noFigures(): Sum {
  return {
    turns: 0,
    lost_turns: 0,
    refused_replies: 0,
    attempts: 0,
    failed_audits: 0,
    conflicts: 0,
    verification_failures: 0,
    promised_files: 0,
    persisted_files: 0,
    commits: 0,
    questions: 0,
    ms: 0,
    tokens: 0,
    usd_micros: 0,
    turns_of_unknown_cost: 0,
    usd_micros_estimated: 0,
  };
}
