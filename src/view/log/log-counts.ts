/**
 * Counts what a task's limits apply to, while its log is read: attempts that were not good enough, and turns lost in a
 * row. Both start again when a person has the task tried again, but attempts keep their numbering.
 */

import type { TurnId } from "../../kernel/event.ts";
import type { Occurred } from "../../kernel/evolve.ts";
import { isCounted } from "../../kernel/rules/agent/consequence.ts";

interface Counts {
  attemptsMax: number;
  attempt: number;
  /** Turns in this attempt, by role. */
  turns: Record<Role, number>;
  failed: number;
  lost: Record<Role, number>;
}

type Role = "developer" | "auditor";
type Turn = { readonly task: string; readonly role: Role; readonly resumes: string | undefined };

export class LogCounts {
  readonly #tasks = new Map<string, Counts>();
  readonly #turns = new Map<TurnId, Turn>();
  #turnsMax: number | undefined;

  /** Call it before the event is put into words. */
  take({ event, data }: Occurred): void {
    switch (event) {
      case "run_started":
        this.#turnsMax = data.settings.turn_attempts;
        for (const { task, attempts } of data.tasks)
          this.#tasks.set(task, fresh(attempts ?? data.settings.audit_attempts));
        break;
      case "agent_dispatched":
        this.#dispatched(data);
        break;
      case "agent_complete":
        this.#ended(data.turn, () => 0);
        break;
      case "agent_timeout":
        this.#ended(data.turn, (lost) => lost + 1);
        break;
      case "agent_crashed":
        this.#ended(data.turn, (lost, turn) => (isCounted(data.code, turn) ? lost + 1 : lost));
        break;
      case "auditor_fail":
      case "task_incomplete":
      case "integration_conflicted":
        this.#change(data.task, (counts) => {
          counts.failed += 1;
          counts.lost.auditor = 0;
        });
        break;
      case "task_retried":
      case "task_rolled_back":
        this.#change(data.task, (counts) => {
          counts.failed = 0;
          counts.lost = none();
        });
        break;
      default:
    }
  }

  /** "attempt 2", "attempt 2, turn 3". */
  turnWords(task: string, { attempt, role }: { readonly attempt: number; readonly role: Role }): string {
    return turnWords(attempt, this.#tasks.get(task)?.turns[role] ?? 1);
  }

  /** "attempt 4, failure 1 of 3". */
  failureWords(task: string, attempt: number): string {
    const counts = this.#tasks.get(task);
    return counts
      ? `attempt ${attempt}, failure ${counts.failed} of ${counts.attemptsMax}`
      : `attempt ${attempt}`;
  }

  /** "; lost turn 2 of 3"; empty if it does not count. */
  lostWords(id: TurnId, code?: string): string {
    const turn = this.#turns.get(id);
    if (!turn || this.#turnsMax === undefined || (code !== undefined && !isCounted(code, turn))) return "";
    return `; lost turn ${this.#tasks.get(turn.task)?.lost[turn.role] ?? 1} of ${this.#turnsMax}`;
  }

  #dispatched(data: Extract<Occurred, { event: "agent_dispatched" }>["data"]): void {
    const { turn, task, role, attempt, resumes } = data;
    this.#turns.set(turn, { task, role, resumes });
    this.#change(task, (counts) => {
      if (counts.attempt !== attempt) counts.turns = none();
      counts.attempt = attempt;
      counts.turns[role] += 1;
    });
  }

  #ended(id: TurnId, lost: (before: number, turn: Turn) => number): void {
    const turn = this.#turns.get(id);
    if (!turn) return;
    this.#change(turn.task, (counts) => {
      counts.lost[turn.role] = lost(counts.lost[turn.role], turn);
    });
  }

  #change(task: string, change: (counts: Counts) => void): void {
    const counts = this.#tasks.get(task);
    if (counts) change(counts);
  }
}

export function turnWords(attempt: number, turn: number): string {
  return turn > 1 ? `attempt ${attempt}, turn ${turn}` : `attempt ${attempt}`;
}

function fresh(attemptsMax: number): Counts {
  return { attemptsMax, attempt: 0, turns: none(), failed: 0, lost: none() };
}

function none(): Record<Role, number> {
  return { developer: 0, auditor: 0 };
}
