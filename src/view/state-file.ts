/**
 * `state.json`: the state as the first coordinator kept it, key by key, for people and programs that know that format.
 *
 * A view: nothing is read back from it but `last_seq`. Keys of features that are not there yet hold their empty value.
 * Tasks are named by their `task_id`; agents at work by their turn, since one agent may be at several tasks.
 */
import type { RunStatus, State, Task } from "../kernel/state.ts";
import type { TaskId } from "../plan/plan.ts";
import type { DeepReadonly } from "../std/deep-readonly.ts";
import { unmet } from "./hindrance.ts";
import { isoTime, type Moment, type RunTimes } from "./run-times.ts";
import { progressOf } from "./status-words.ts";

export interface Saving {
  readonly state: State;
  readonly now: Moment;
  readonly times: RunTimes;
}

export function stateFile({ state, now, times }: Saving) {
  const wall = (time: number) => isoTime(times.wallTime(time, now));
  const { run, status, budget, spent } = state;
  const trouble = status.name === "paused" && status.reason === "trouble" ? status.detail : null;
  return {
    saved_at: isoTime(now.at),
    save_reason: saveReason(status),
    tokens_remaining_percent: remainingPercent(spent.tokens, budget.tokens),
    compaction_count: 0,
    session_resume_count: Math.max(0, state.sessions - 1),
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
    validation_complete: false,
    task_quality_assessed: false,
    pending_expansions: {},
    active_business_analysts: {},
    expanded_tasks: {},
    run: run?.run ?? null,
    branch: run?.branch ?? null,
    tip: state.tip,
    last_seq: state.seq,
  };
}

/** Nothing while it runs: it is saved because something happened. */
function saveReason(status: DeepReadonly<RunStatus>): "session_pause" | "infrastructure_blocked" | null {
  if (status.name === "stopped") return "session_pause";
  if (status.name !== "paused") return null;
  return status.reason === "trouble" ? "infrastructure_blocked" : "session_pause";
}

/** When the first agent that met a limit is tried again. */
function resetsAt({ standings }: State, wall: (time: number) => string): string | null {
  const ends = [...standings.values()].flatMap(({ rest }) =>
    rest?.code === "AGENT_RATE_LIMIT" ? [rest.until] : [],
  );
  return ends.length === 0 ? null : wall(Math.min(...ends));
}

function remainingPercent(spent: number, limit: number | undefined): number | null {
  if (limit === undefined || limit === 0) return null;
  return Math.max(0, Math.floor(100 - (100 * spent) / limit));
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
    if (phase.name === "verified") completed.push(facts.task_id);
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

/** Whoever is at it, or handed it in; else whom the plan wants. */
function developerOf({ turns }: State, { facts, phase, work }: Task): string {
  const turn = phase.name === "working" && phase.step === "turn" ? turns.get(phase.turn) : undefined;
  return turn?.agent ?? work?.author ?? facts.agent;
}

/** An audit that waits for a person is still to be made. */
function isForAuditor({ phase }: Task): boolean {
  return progressOf(phase) === "awaiting-audit" || (phase.name === "held" && phase.resumes === "audit");
}

function taskId({ tasks }: State, id: TaskId): string {
  return tasks.get(id)?.facts.task_id ?? id;
}

/** In the order in which they will be taken. */
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
    if ((phase.name !== "verified" && phase.name !== "reverting") || !phase.commit) continue;
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
