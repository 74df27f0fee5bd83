/**
 * A run described in the domain's words: `given(plan("a", "b after a"), done("a")).wants(dispatch("b"))`.
 *
 * Every step goes through `admit` and `evolve`, so only what can really happen is described; a refused step ends the
 * test. A turn that was started is under way and not wanted again; all other effects are done at once.
 */
import { expect } from "vitest";
import { admit } from "../../src/kernel/admit.ts";
import type { Admitted, Command, Refusal } from "../../src/kernel/command.ts";
import { type Decision, decide } from "../../src/kernel/decide.ts";
import type { EventName } from "../../src/kernel/event.ts";
import { evolve, type Occurred } from "../../src/kernel/evolve.ts";
import { initialState } from "../../src/kernel/initial.ts";
import type { RunStarted } from "../../src/kernel/run-started.ts";
import type { Question, State, Task } from "../../src/kernel/state.ts";
import { inWords } from "./in-words.ts";
import { asQuestion } from "./person.ts";

export type Step = Command | ((story: Story) => void);

export function given(run: RunStarted, ...steps: readonly Step[]): Story {
  return new Story(run).when(...steps);
}

export class Story {
  readonly #state = initialState();
  readonly log: Occurred[] = [];
  /** Keys of effects that are under way. */
  readonly begun = new Set<string>();
  now = 0;
  /** Wall time, if it differs from run time. */
  at: number | undefined;
  /** Called after each single event. */
  watch: (occurred: Occurred) => void = () => {};

  constructor(run: RunStarted) {
    this.tell({ command: "start", run });
  }

  get state(): State {
    return this.#state;
  }

  when(...steps: readonly Step[]): this {
    for (const step of steps) {
      if (typeof step === "function") step(this);
      else this.tell(step);
    }
    return this;
  }

  /** Records the events that the command causes, and returns their names. */
  tell(command: Command): readonly EventName[] {
    const admitted = this.ask(command);
    if ("refused" in admitted)
      throw new Error(`${JSON.stringify(command)} was refused: ${JSON.stringify(admitted)}`);
    for (const event of admitted) {
      const occurred: Occurred = {
        ...event,
        seq: this.#state.seq + 1,
        time: this.now,
        at: this.at ?? this.now,
      };
      this.log.push(occurred);
      evolve(this.#state, occurred);
      this.watch(occurred);
    }
    return admitted.map(({ event }) => event);
  }

  ask(command: Command): Admitted {
    return admit(this.#state, command);
  }

  decide(): Decision {
    const { effects, ...rest } = decide(this.#state, this.now);
    return { ...rest, effects: effects.filter(({ key }) => !this.begun.has(key)) };
  }

  /** Expects exactly this, in this order: what is to be recorded, then what is to be done. */
  wants(...expected: readonly string[]): this {
    expect(inWords(this.decide())).toEqual(expected);
    return this;
  }

  wantsNothing(): this {
    return this.wants();
  }

  refuses(command: Command, refusal: Partial<Refusal>): this {
    expect(this.ask(command)).toMatchObject(refusal);
    return this;
  }

  records(command: Command, ...names: readonly EventName[]): this {
    expect(this.tell(command)).toEqual(names);
    return this;
  }

  task(id: string): Task {
    const task = [...this.#state.tasks.values()].find(({ facts }) => facts.task === id);
    if (!task) throw new Error(`the plan has no ${id}`);
    return task;
  }

  question(id: string): Question {
    const question = this.#state.questions.get(asQuestion(id));
    if (!question) throw new Error(`nobody asked ${id}`);
    return question;
  }

  phase(id: string): string {
    const { phase } = this.task(id);
    if (!("step" in phase)) return phase.name;
    return `${phase.name}: ${typeof phase.step === "string" ? phase.step : phase.step.name}`;
  }

  /** Each task with its phase, in the order of the plan. */
  phases(): Record<string, string> {
    return Object.fromEntries([...this.#state.tasks.keys()].map((id) => [id, this.phase(id)]));
  }

  events(): readonly EventName[] {
    return this.log.map(({ event }) => event);
  }
}
