/**
 * `state.json`: the state in the format of the first coordinator, key by key, for people and programs that know it.
 *
 * It is a view: a run never restores its state from it. Keys of features that do not exist yet have their empty value.
 * Tasks are named by their `task_id`; agents at work by their turn, because one agent may work on several tasks.
 */
import type { Moment } from "../../kernel/moment.ts";
import type { RunStatus, State, Task } from "../../kernel/state.ts";
import type { TaskId } from "../../plan/plan.ts";
import type { DeepReadonly } from "../../std/deep-readonly.ts";
import { costDocument, costOf } from "../cost/cost.ts";
import { isoTime, type RunTimes } from "../run-times.ts";
import { unmet } from "../status/blocker.ts";
import { progressOf } from "../status/status-words.ts";

export interface StateFileInput {
  readonly state: State;
  readonly now: Moment;
  readonly times: RunTimes;
}

export function stateFile({ state, now, times }: StateFileInput) {
  const wall = (time: number) => isoTime(times.wallTime(time, now));
  const { run, status, budget, spent } = state;
  const trouble = status.name === "paused" && status.reason === "trouble" ? status.detail : null;
  return {
    saved_at: isoTime(now.at),
    save_reason: saveReason(status),
    tokens_remaining_percent: remainingPercent(spent, budget.tokens),
    compaction_count: 0,
    session_resume_count: state.resumes,
    plan_file: run?.plan_file ?? null,
    total_tasks: state.tasks.size,
    ...tasksByPhase(state),
    next_available_tasks: nextAvailable(state),
    infrastructure_blocked: trouble !== null,
    infrastructure_issue: trouble,
    active_remediation: null,
    remediation_attempt_count: 0,
    last_usage_check: null,
    session_utilisation: null,
    session_remaining: null,
    session_resets_at: resetsAt(state, wall),
    pending_divine_questions: pendingQuestions(state, wall),
    supporting_agents: [],
    active_supporting_agents: {},
    pending_delegation_requests: [],
    supporting_agent_stats: {},
    task_commits: taskCommits(state, wall),
    failure_patterns: {},
    ...agentsAtWork(state, wall),
    plan_complete: status.name === "finished" && status.outcome === "done",
    validation_complete: state.baseVerify !== undefined,
    task_quality_assessed: false,
    pending_expansions: {},
    active_business_analysts: {},
    expanded_tasks: {},
    run: run?.run ?? null,
    branch: run?.branch ?? null,
    tip: state.tip,
    last_seq: state.seq,
    spent: { turns: spent.turns, tokens: spent.tokens, ...costDocument(costOf(spent)) },
  };
}

/** Null while the run is running: then it is saved because something happened. */
function saveReason(status: DeepReadonly<RunStatus>): "session_pause" | "infrastructure_blocked" | null {
  if (status.name === "stopped") return "session_pause";
  if (status.name !== "paused") return null;
  return status.reason === "trouble" ? "infrastructure_blocked" : "session_pause";
}

/** When the first agent that hit a limit is tried again. */
function resetsAt({ availability, accounts }: State, wall: (time: number) => string): string | null {
  const ends = [...availability.values(), ...accounts.values()].flatMap(({ rest }) =>
    rest?.code === "AGENT_RATE_LIMIT" ? [rest.until] : [],
  );
  return ends.length === 0 ? null : wall(Math.min(...ends));
}

/** Null if it is not known what was used. */
function remainingPercent(spent: State["spent"], limit: number | undefined): number | null {
  const { tokens, turnsOfUnknownTokens = 0 } = spent;
  if (limit === undefined || limit === 0 || turnsOfUnknownTokens > 0) return null;
  return Math.max(0, Math.floor(100 - (100 * tokens) / limit));
}

function tasksByPhase(state: State) {
  const completed: string[] = [];
  const inProgress: object[] = [];
  const pendingAudit: string[] = [];
  const blocked: [string, string[]][] = [];
  const failedAudits: [string, number][] = [];
  for (const task of state.tasks.values()) {
    const { facts, phase, counts } = task;
    const progress = progressOf(phase);
    if (phase.name === "done") completed.push(facts.task_id);
    if (phase.name === "waiting")
      blocked.push([facts.task_id, unmet(state, task).map((id) => taskId(state, id))]);
    if (counts.auditsFailed > 0) failedAudits.push([facts.task_id, counts.auditsFailed]);
    if (progress === undefined) continue;
    inProgress.push({
      task_id: facts.task_id,
      developer_id: developerOf(state, task),
      status: progress,
      last_checkpoint: task.checkpoint ?? null,
    });
    if (isForAuditor(task)) pendingAudit.push(facts.task_id);
  }
  return {
    completed_tasks: completed,
    in_progress_tasks: inProgress,
    pending_audit: pendingAudit,
    blocked_tasks: Object.fromEntries(blocked),
    failed_audits: Object.fromEntries(failedAudits),
  };
}

/** The agent that is working on it or handed it in; otherwise the one in the plan. */
function developerOf({ turns }: State, { facts, phase, work }: Task): string {
  const turn = phase.name === "working" && phase.step === "turn" ? turns.get(phase.turn) : undefined;
  return turn?.agent ?? work?.author ?? facts.agent;
}

/** An audit that waits for a person has not been made yet. */
function isForAuditor({ phase }: Task): boolean {
  return progressOf(phase) === "awaiting-audit" || (phase.name === "held" && phase.resumes === "audit");
}

function taskId({ tasks }: State, id: TaskId): string {
  return tasks.get(id)?.facts.task_id ?? id;
}

/** In the order in which they will be started. */
function nextAvailable({ index }: State): string[] {
  const ids: string[] = [];
  for (let rank = index.ready.next(0); rank !== undefined; rank = index.ready.next(rank + 1)) {
    ids.push(index.byRank[rank]?.facts.task_id ?? "");
  }
  return ids;
}

function pendingQuestions(state: State, wall: (time: number) => string) {
  return [...state.index.openQuestions].flatMap((id) => {
    const question = state.questions.get(id);
    if (!question) return [];
    const { kind, task, agent, text, options, items, asked } = question;
    return {
      question_id: id,
      kind,
      task_id: taskId(state, task),
      agent_id: agent ?? null,
      question: text,
      options,
      items,
      asked_at: wall(asked),
    };
  });
}

function taskCommits(state: State, wall: (time: number) => string) {
  const commits: [string, object][] = [];
  for (const { facts, phase } of state.tasks.values()) {
    if ((phase.name !== "done" && phase.name !== "reverting") || !phase.commit) continue;
    const { sha, files, at } = phase.commit;
    const commit = {
      commit_sha: sha,
      completed_at: wall(at),
      files_modified: files,
      branch: state.run?.branch ?? null,
    };
    commits.push([facts.task_id, commit]);
  }
  return Object.fromEntries(commits);
}

function agentsAtWork(state: State, wall: (time: number) => string) {
  const turns = [...state.turns.values()];
  const tasksOf = (role: string) =>
    Object.fromEntries(
      turns.filter((turn) => turn.role === role).map(({ turn, task }) => [turn, taskId(state, task)]),
    );
  const agents = turns.map((turn) => [
    turn.turn,
    {
      type: turn.role,
      task_id: taskId(state, turn.task),
      dispatched_at: wall(turn.since),
      timeout_at: wall(turn.since + turn.timeoutMs),
      last_checkpoint: turn.checkpoint ?? null,
      checkpoint_count: turn.checkpoints,
      agent: turn.agent,
    },
  ]);
  return {
    active_agents: Object.fromEntries(agents),
    active_developers: tasksOf("developer"),
    active_auditors: tasksOf("auditor"),
    active_actor_count: turns.length,
  };
}
