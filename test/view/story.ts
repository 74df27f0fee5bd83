/**
 * A run told event by event, for tests of what is shown of one: `story("a", "b after a").works("a").commits("a")`.
 * The state is made by the kernel from the events, so no test shows what could never be.
 */

import type { EventName, Events, Finding, QuestionId, TurnId } from "../../src/kernel/event.ts";
import { evolve, type Occurred } from "../../src/kernel/evolve.ts";
import { initialState } from "../../src/kernel/initial.ts";
import type { Moment } from "../../src/kernel/moment.ts";
import type { RecordedTask, RunSettings, RunStarted } from "../../src/kernel/run-started.ts";
import type { State } from "../../src/kernel/state.ts";
import type { TaskId } from "../../src/plan/plan.ts";
import { someCommit, someTree } from "../kernel/some-object-ids.ts";
import { usualSettings } from "../kernel/usual-settings.ts";

export const by = { who: "ana", door: "terminal" } as const;
export const began = Date.UTC(2026, 0, 16, 10, 0, 0);

/** Tasks as `"b after a, c"`, or with everything a task may say. */
export type Given = string | (Partial<RecordedTask> & { readonly task: TaskId });

export function story(...tasks: readonly Given[]): Story {
  return new Story(tasks, {});
}

export function storyWith(changed: Changed, ...tasks: readonly Given[]): Story {
  return new Story(tasks, changed);
}

type Changed = Partial<RunSettings> & Pick<Partial<RunStarted>, "agents">;

export class Story {
  readonly events: Occurred[] = [];
  readonly #state = initialState();
  #time = 0;

  constructor(tasks: readonly Given[], { agents, ...changed }: Changed) {
    this.tell("run_started", {
      run: "r7k2",
      title: "Rate-limit the public API",
      plan_file: "plans/limits.md",
      plan_sha256: "a".repeat(64),
      config_sha256: "b".repeat(64),
      base: someCommit("base0000"),
      base_tree: someTree("tree0000"),
      branch: "cox/r7k2",
      by,
      settings: { ...usualSettings, ...changed },
      ...(agents && { agents }),
      tasks: tasks.map(factsOf),
    });
    this.tell("session_started", { pid: 1, version: "0.1.0", resumes: 0 });
  }

  get state(): State {
    return this.#state;
  }

  get now(): Moment {
    return { at: began + this.#time, time: this.#time };
  }

  after(ms: number): this {
    this.#time += ms;
    return this;
  }

  tell<Name extends EventName>(event: Name, data: Events[Name]): this {
    const recorded = { event, data, seq: this.events.length + 1, ...this.now } as unknown as Occurred;
    this.events.push(recorded);
    evolve(this.#state, recorded);
    return this;
  }

  /** A developer is dispatched. */
  works(task: string): this {
    const { facts, attempt, turnsOfAttempt } = this.task(task);
    const data = { task: facts.task, agent: facts.agent, attempt };
    return this.tell("developer_dispatched", { ...data, base: this.#state.tip }).#dispatched(
      { ...data, role: "developer" },
      `${facts.key}.${attempt}.${turnsOfAttempt + 1}`,
    );
  }

  /** An auditor is dispatched. */
  audits(task: string): this {
    const { facts, attempt, auditTurnsOfAttempt } = this.task(task);
    return this.#dispatched(
      { task: facts.task, agent: facts.auditor ?? "auditor", attempt, role: "auditor" },
      `${facts.key}.${attempt}.a${auditTurnsOfAttempt + 1}`,
    );
  }

  #dispatched(
    data: Pick<Events["agent_dispatched"], "task" | "agent" | "attempt" | "role">,
    turn: string,
  ): this {
    const { turn_timeout_ms: timeout_ms, stall_timeout_ms: stall_ms } =
      this.#state.run?.settings ?? usualSettings;
    return this.tell("agent_dispatched", {
      ...data,
      turn: turn as TurnId,
      fence_tag: "f",
      timeout_ms,
      stall_ms,
    });
  }

  replies(task: string, spent: Events["agent_complete"]["spent"] = { ms: 1000, usd_micros: 0 }): this {
    return this.tell("agent_complete", { turn: this.turnOf(task), reply_sha256: "c".repeat(64), spent });
  }

  /** From a dispatch to work that waits for its audit. */
  delivers(
    task: string,
    files: readonly string[] = ["src/a.ts"],
    notes?: Events["developer_ready_for_audit"]["notes"],
  ): this {
    const { facts, attempt } = this.works(task).replies(task).task(task);
    const data = {
      task: facts.task,
      attempt,
      tree: someTree(`tree-${facts.key}`),
      files,
      summary: "did it",
      outputs: [],
      ...(notes && { notes }),
    };
    return this.tell("developer_ready_for_audit", data);
  }

  passes(task: string): this {
    const { facts, attempt } = this.task(task);
    const work = { of: "task", task: facts.task, attempt } as const;
    const tree = someTree(`tree-${facts.key}`);
    if (facts.verify.length > 0) {
      const commands = facts.verify.map((command) => ({ command, exit: 0, ms: 900 }));
      this.tell("verification_passed", {
        work,
        tree,
        evidence: { sha256: "d".repeat(64), commands },
      });
    }
    return this.tell("audit_passed", {
      task: facts.task,
      attempt,
      by: "verify commands",
      tree,
      summary: "good",
    });
  }

  /** From a dispatch to its commit. */
  commits(task: string, files: readonly string[] = ["src/a.ts"]): this {
    const { facts } = this.task(task);
    if (this.task(task).phase.name !== "auditing") this.delivers(task, files);
    const { attempt } = this.passes(task).task(task);
    const parent = this.#state.tip;
    const [tree, commit] = [someTree(`tree-${facts.key}`), someCommit(`c0ffee0${facts.key}`)];
    return this.tell("integration_merged", { task: facts.task, attempt, onto: parent, tree })
      .tell("integration_prepared", {
        task: facts.task,
        attempt,
        parent,
        tree,
        commit,
      })
      .tell("task_commit_recorded", {
        task: facts.task,
        commit_sha: commit,
        parent,
        files_modified: files,
        branch: "cox/r7k2",
      })
      .tell("task_complete", { task: facts.task, agent: facts.agent, evidence_summary: "npm test → 0" });
  }

  /** It is given up, and a person is asked. */
  fails(task: string, reason: string): this {
    const [reply] = [...this.#state.replies.values()].filter((one) => one.task === task);
    const problems = [{ code: "JSON_SYNTAX", message: "no JSON" }];
    if (reply) this.tell("reply_refused", { task: reply.task, turn: reply.turn, problems });
    return this.tell("task_failed", { task: task as TaskId, reason }).tell("question_asked", {
      question: this.#nextQuestion(),
      task: task as TaskId,
      text: `${reason}. What now?`,
      options: ["retry", "give up"],
    });
  }

  /** Its agent replies with a question. */
  asks(task: string, text: string, options: readonly string[] = []): this {
    const { facts } = this.works(task).replies(task).task(task);
    const data = { task: facts.task, agent: facts.agent, text, options };
    return this.tell("agent_seeks_guidance", { question: this.#nextQuestion(), ...data });
  }

  /** Its agent replies with something that only a person may allow. */
  wantsAllowed(task: string, items: readonly Finding[]): this {
    const { facts } = this.works(task).replies(task).task(task);
    const [turn] = [...this.#state.replies.values()].filter((one) => one.task === facts.task);
    const question = this.#nextQuestion();
    const data = {
      question,
      task: facts.task,
      turn: turn?.turn ?? ("" as TurnId),
      digest: "e".repeat(64),
      items,
    };
    return this.tell("confirmation_requested", data);
  }

  task(id: string) {
    const task = this.#state.tasks.get(id as TaskId);
    if (!task) throw new Error(`the story has no task ${id}`);
    return task;
  }

  turnOf(id: string): TurnId {
    for (const turn of this.#state.turns.values()) if (turn.task === id) return turn.turn;
    throw new Error(`nobody works at ${id}`);
  }

  #nextQuestion(): QuestionId {
    return `q${this.#state.questions.size + 1}` as QuestionId;
  }
}

function factsOf(given: Given): RecordedTask {
  const { task, ...rest } = typeof given === "string" ? read(given) : given;
  return {
    task,
    key: task.replace(/[^a-z0-9-]/g, "-"),
    task_id: `${task}_1768557600`,
    title: `Make ${task}`,
    agent: "backend",
    depends_on: [],
    priority: "normal",
    writes: [],
    deletes: [],
    shares: [],
    verify: ["npm test"],
    ...rest,
  };
}

function read(text: string): Partial<RecordedTask> & { readonly task: TaskId } {
  const [task = "", after] = text.split(" after ");
  return { task: task as TaskId, depends_on: (after?.split(", ") ?? []) as TaskId[] };
}
