/**
 * What a reader of the log knows without the kernel: who is working, what is complete, what waits for a person. The
 * rules are checked against it, so it must stay simple enough to be trusted.
 */
import type { Event } from "../../src/kernel/event.ts";
import type { RecordedTask, RunStarted } from "../../src/kernel/run-started.ts";

export interface Entry {
  readonly facts: RecordedTask;
  isComplete: boolean;
  isReverting: boolean;
  hasFailed: boolean;
  turn: Sent | undefined;
  /** The reply that has not been read yet. */
  reply: Sent | undefined;
  /** The tree that a developer handed in, until it is discarded. */
  work: string | undefined;
  /** The agent who wrote it. */
  author: string | undefined;
  /** `role agent` of those for whom the task was too long, or who refused it. */
  unfit: Set<string>;
  files: readonly string[];
  /** The tree that passed the audit. */
  passed: string | undefined;
  merged: { readonly onto: string; readonly tree: string } | undefined;
  prepared: { readonly parent: string; readonly tree: string; readonly commit: string } | undefined;
  /** The task's own failures since it began or was retried. */
  blame: number;
}

interface Sent {
  readonly id: string;
  readonly role: string;
  readonly agent: string;
  /** The conversation that it resumes. */
  readonly resumes: string | undefined;
}

export class Book {
  run: RunStarted | undefined;
  status: "none" | "running" | "paused" | "stopped" | "finished" = "none";
  readonly tasks = new Map<string, Entry>();
  /** Open questions, each with its task. */
  readonly questions = new Map<string, string>();
  /** Questions asked because no agent is left for a task. */
  readonly #agentQuestions = new Set<string>();
  tip = "";
  tipTree = "";
  budget: RunStarted["settings"]["budget"] = {};
  spent = { turns: 0, tokens: 0, usdMicros: 0, turnTokensMax: 0, turnUsdMicrosMax: 0 };
  /** Reverts that are prepared but not yet on the branch, in order. */
  reverts: {
    readonly task: string;
    readonly parent: string;
    readonly tree: string;
    readonly commit: string;
  }[] = [];

  entry(task: string): Entry {
    const entry = this.tasks.get(task);
    if (!entry) throw new Error(`the log speaks of a task ${task} that it never named`);
    return entry;
  }

  ofTurn(turn: string): Entry | undefined {
    return [...this.tasks.values()].find((one) => one.turn?.id === turn);
  }

  get atWork(): Entry[] {
    return [...this.tasks.values()].filter(({ turn }) => turn);
  }

  see({ event, data }: Event): void {
    switch (event) {
      case "run_started":
        this.#begin(data);
        return;
      case "run_paused":
        this.status = "paused";
        return;
      case "run_resumed":
        this.status = "running";
        this.budget = { ...this.budget, ...data.budget };
        return;
      case "run_stopped":
        this.status = "stopped";
        return;
      case "run_finished":
        this.status = "finished";
        return;
      case "agent_dispatched":
        this.entry(data.task).turn = {
          id: data.turn,
          role: data.role,
          agent: data.agent,
          resumes: data.resumes,
        };
        return;
      case "agent_complete":
      case "agent_timeout":
      case "agent_crashed":
      case "agent_cancelled":
        this.#endTurn(event, data);
        return;
      case "agent_seeks_guidance":
      case "question_asked":
      case "confirmation_requested":
        this.questions.set(data.question, data.task);
        if ("agents" in data) this.#agentQuestions.add(data.question);
        if (event === "agent_seeks_guidance") this.entry(data.task).reply = undefined;
        return;
      case "divine_response_received":
        if (this.#agentQuestions.has(data.question))
          this.entry(this.questions.get(data.question) ?? "").unfit.clear();
        this.questions.delete(data.question);
        return;
      case "confirmation_given":
      case "question_withdrawn":
        this.questions.delete(data.question);
        return;
      case "confirmation_denied":
        this.entry(this.questions.get(data.question) ?? "").reply = undefined;
        this.questions.delete(data.question);
        return;
      default:
        if ("task" in data && data.task !== undefined)
          this.#ofTask({ event, data } as Event, this.entry(data.task));
        if (event === "rollback_requested")
          for (const task of data.tasks) this.entry(task).isReverting = true;
    }
  }

  #begin(run: RunStarted): void {
    this.run = run;
    this.status = "running";
    this.tip = run.base;
    this.tipTree = run.base_tree;
    this.budget = run.settings.budget;
    for (const facts of run.tasks)
      this.tasks.set(facts.task, {
        ...untouched,
        facts,
        unfit: new Set(),
        isComplete: facts.done === true,
      });
  }

  #endTurn(
    event: string,
    data: { turn: string; spent: { tokens?: number; usd_micros?: number }; code?: string },
  ) {
    const entry = this.ofTurn(data.turn);
    const { tokens = 0, usd_micros: usd = 0 } = data.spent;
    const { spent } = this;
    this.spent = {
      turns: spent.turns + 1,
      tokens: spent.tokens + tokens,
      usdMicros: spent.usdMicros + usd,
      turnTokensMax: Math.max(spent.turnTokensMax, tokens),
      turnUsdMicrosMax: Math.max(spent.turnUsdMicrosMax, usd),
    };
    if (!entry?.turn) return;
    if (event === "agent_complete") entry.reply = entry.turn;
    if (event === "agent_timeout" || (event === "agent_crashed" && !blameless.includes(data.code ?? "")))
      entry.blame += 1;
    const { role, agent, resumes } = entry.turn;
    if (data.code === "AGENT_REFUSED" || (data.code === "AGENT_CONTEXT" && resumes === undefined))
      entry.unfit.add(`${role} ${agent}`);
    entry.turn = undefined;
  }

  #ofTask({ event, data }: Event, entry: Entry): void {
    switch (event) {
      case "developer_ready_for_audit":
        entry.author = entry.reply?.agent;
        Object.assign(entry, { ...nothingInHand, work: data.tree, files: data.files });
        return;
      case "reply_refused":
      case "auditor_blocked":
        entry.reply = undefined;
        if (event === "reply_refused") entry.blame += 1;
        return;
      case "task_incomplete":
      case "auditor_fail":
      case "integration_conflicted":
        Object.assign(entry, { ...nothingInHand, blame: entry.blame + 1 });
        return;
      case "audit_passed":
        Object.assign(entry, { reply: undefined, passed: data.tree });
        return;
      case "integration_merged":
        entry.merged = { onto: data.onto, tree: data.tree };
        return;
      case "integration_prepared":
        entry.prepared = { parent: data.parent, tree: data.tree, commit: data.commit };
        return;
      case "task_commit_recorded":
        this.tip = data.commit_sha;
        this.tipTree = entry.prepared?.tree ?? "";
        Object.assign(entry, nothingInHand);
        return;
      case "task_complete":
        entry.isComplete = true;
        return;
      case "task_failed":
        entry.hasFailed = true;
        entry.reply = undefined;
        return;
      case "task_retried":
        entry.unfit.clear();
        // A fresh start keeps nothing from before.
        Object.assign(entry, { ...(data.afresh && nothingInHand), hasFailed: false, blame: 0 });
        return;
      case "task_aborted":
        entry.unfit.clear();
        Object.assign(entry, { ...nothingInHand, hasFailed: false, blame: 0 });
        return;
      case "rollback_prepared":
        this.reverts.push(data);
        return;
      case "task_rolled_back":
        this.tip = data.to_sha;
        this.tipTree = this.reverts.find(({ commit }) => commit === data.to_sha)?.tree ?? "";
        this.reverts = this.reverts.filter(({ commit }) => commit !== data.to_sha);
        entry.unfit.clear();
        Object.assign(entry, { ...nothingInHand, isComplete: false, isReverting: false, blame: 0 });
        return;
      case "rollback_failed":
        if (!entry.isReverting) return;
        this.reverts = [];
        for (const each of this.tasks.values()) each.isReverting = false;
        return;
      default:
    }
  }
}

/**
 * Failures that do not count against the task: turns that we lost ourselves, and what the agent's model or program
 * would not do.
 */
const blameless: readonly string[] = [
  ...["AGENT_LOST", "DESK_FAILED", "AGENT_UNWATCHED"],
  ...["AGENT_RATE_LIMIT", "AGENT_NOT_INSTALLED", "AGENT_NOT_SIGNED_IN", "AGENT_CONTEXT", "AGENT_REFUSED"],
  // Only a resumed conversation can be lost here.
  "AGENT_SESSION_LOST",
];

const nothingInHand = {
  reply: undefined,
  work: undefined,
  passed: undefined,
  merged: undefined,
  prepared: undefined,
};

const untouched = {
  ...nothingInHand,
  files: [],
  isReverting: false,
  hasFailed: false,
  turn: undefined,
  author: undefined,
  blame: 0,
};
