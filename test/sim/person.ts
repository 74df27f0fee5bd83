/**
 * The simulated person: answers, allows, stops and resumes at any moment, even when it makes no sense; in fair weather,
 * only what helps.
 */
import type { Command, ExternalCommand } from "../../src/kernel/command.ts";
import type { DecisionMaker } from "../../src/kernel/decision-maker.ts";
import type { QuestionId } from "../../src/kernel/event.ts";
import type { Question } from "../../src/kernel/state.ts";
import type { TaskId } from "../../src/plan/plan.ts";
import { pick } from "./plans.ts";
import type { World } from "./world.ts";

export type PersonCommand =
  | Extract<ExternalCommand, { by: DecisionMaker }>
  | Extract<Command, { command: "start" }>;

export class Person {
  #requests = 0;
  readonly #sent: PersonCommand[] = [];
  /** How often each task was helped in fair weather. */
  readonly #helped = new Map<string, number>();

  constructor(private readonly world: World) {}

  /** Any command at all. */
  whim(): PersonCommand {
    const { random } = this.world;
    const again = this.#sent.at(-1);
    const command = again && random.chance(0.05) ? again : this.#whim();
    this.#sent.push(command);
    return command;
  }

  #whim(): PersonCommand {
    const { random } = this.world;
    const { index, questions } = this.world.ledger.shadow;
    const [open] = index.openQuestions;
    const question = open === undefined ? undefined : questions.get(open);
    if (question && random.chance(0.5)) return this.#reply(question);
    const by = this.#by();
    const task = this.#anyTask();
    switch (random.below(12)) {
      case 0:
        return { command: "pause", reason: "person", detail: "a moment", by };
      case 1:
      case 2:
      case 3:
        return this.#resume(random.chance(0.5));
      case 4:
        return { command: "stop", by };
      case 5:
      case 6:
        return { command: "retry", task, afresh: random.chance(0.3), by };
      case 7:
      case 8:
      case 9:
        return this.#takeBack();
      case 10:
        return this.#reply({ question: `q${1 + random.below(4)}` as QuestionId, kind: pick(random, kinds) });
      default:
        return random.chance(0.5)
          ? { command: "start", run: this.world.plan }
          : { command: "retry", task: "nobody" as TaskId, afresh: false, by };
    }
  }

  /** Half the time a task that is done, otherwise any task; often with the tasks that depend on it. */
  #takeBack(): PersonCommand {
    const { random, ledger } = this.world;
    const done = [...ledger.shadow.tasks.values()].filter(({ phase }) => phase.name === "done");
    const task = done.length > 0 && random.chance(0.5) ? pick(random, done).facts.task : this.#anyTask();
    if (random.chance(0.1)) return this.#refusal(task);
    return { command: "rollback", task, cascade: random.chance(0.6), by: this.#by() };
  }

  /** A refusal from a command that checked before it asked, perhaps in a state that no longer holds. */
  #refusal(task: TaskId): PersonCommand {
    const conflict = this.world.random.chance(0.5) ? { conflict: { task, paths: ["shared.txt"] } } : {};
    return { command: "log-rollback-refusal", task, cascade: false, ...conflict, by: this.#by() };
  }

  #reply({ question, kind }: Pick<Question, "question" | "kind">): PersonCommand {
    const { random } = this.world;
    const by = this.#by();
    const wantsConfirm = random.chance(0.05) ? kind !== "confirmation" : kind === "confirmation";
    if (!wantsConfirm)
      return {
        command: "answer",
        question,
        answer: pick(random, ["retry", "retry", "use spaces", "give up"]),
        by,
      };
    if (random.chance(0.6)) return { command: "confirm", question, by };
    return { command: "deny", question, reason: "it is still needed", by };
  }

  /** What a person does to bring the run to its end; `undefined` if no help is needed. */
  help(): PersonCommand | undefined {
    const { index, questions, status } = this.world.ledger.shadow;
    const [open] = index.openQuestions;
    const question = open === undefined ? undefined : questions.get(open);
    if (question) return this.#helpWith(question);
    return status.name === "paused" || status.name === "stopped" ? this.#resume(true) : undefined;
  }

  #helpWith({ question, kind, task }: Question): PersonCommand {
    const by = this.#by();
    const helped = (this.#helped.get(task) ?? 0) + 1;
    this.#helped.set(task, helped);
    if (kind === "confirmation") return { command: "confirm", question, by };
    const answer = kind === "trouble" ? (helped > 3 ? "give up" : "retry") : "use spaces";
    return { command: "answer", question, answer, by };
  }

  /** Raises whatever is limited, enough for a while. */
  #resume(isGenerous: boolean): PersonCommand {
    const { spent, time } = this.world.ledger.shadow;
    const plenty = isGenerous ? 1_000 : 1;
    const more = {
      turns: spent.turns + 4 * plenty,
      tokens: spent.tokens + 500 * plenty,
      usdMicros: spent.usdMicros + 5_000 * plenty,
      timeMs: time + 20_000 * plenty,
    };
    const { budget } = this.world.plan.settings;
    const raised = Object.entries(more).filter(([name]) => name in budget);
    return {
      command: "resume",
      by: this.#by(),
      ...(raised.length > 0 ? { budget: Object.fromEntries(raised) } : {}),
    };
  }

  #anyTask(): TaskId {
    return pick(this.world.random, this.world.plan.tasks).task;
  }

  #by(): DecisionMaker {
    return { who: "ana", door: "terminal", request: `request-${++this.#requests}` };
  }
}

const kinds = ["guidance", "trouble", "confirmation"] as const;
