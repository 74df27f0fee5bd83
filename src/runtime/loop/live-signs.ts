/** The latest signs of life of everything under way. They are not in the log, because they only matter now. */
import type { TurnId } from "../../kernel/event.ts";
import type { TaskId } from "../../plan/plan.ts";
import type { LastSign, Liveness, RunningCheck } from "../../view/status/liveness.ts";
import type { LiveSign } from "./act-context.ts";
import type { Coordinator } from "./coordinator.ts";

export class LiveSigns {
  readonly #turns = new Map<TurnId, LastSign>();
  readonly #checks = new Map<TaskId, RunningCheck>();

  constructor(private readonly coordinator: Coordinator) {
    coordinator.watch({ onSign: (sign) => this.#hear(sign) });
  }

  liveness(): Liveness {
    const { state } = this.coordinator;
    for (const turn of this.#turns.keys()) if (!state.turns.has(turn)) this.#turns.delete(turn);
    for (const task of this.#checks.keys()) if (!isVerified(state.tasks.get(task))) this.#checks.delete(task);
    return { isAlive: true, turns: this.#turns, checks: this.#checks };
  }

  #hear({ key, task, words }: LiveSign): void {
    const now = this.coordinator.now();
    if (key.startsWith(turnKey)) {
      const turn = key.slice(turnKey.length) as TurnId;
      const action = words ?? this.#turns.get(turn)?.action;
      this.#turns.set(turn, { heard: now, ...(action === undefined ? {} : { action }) });
    } else if (task !== undefined) {
      const id = task as TaskId;
      const command = words ?? this.#checks.get(id)?.command ?? "";
      this.#checks.set(id, { command, since: this.#checks.get(id)?.since ?? now });
    }
  }
}

const turnKey = "turn:";

function isVerified(task: ReturnType<Coordinator["state"]["tasks"]["get"]>): boolean {
  const { phase } = task ?? {};
  return (
    (phase?.name === "auditing" && phase.step === "verify") ||
    (phase?.name === "integrating" && phase.step.name === "verify")
  );
}
