/**
 * What the coordinator knows about a run. It is built from the events alone, by `evolve`, which owns it and changes it
 * in place, so that an event costs the same in a plan of ten tasks and of a hundred thousand. Everyone else sees
 * `State`, read-only.
 *
 * Two states are equal when their snapshots are. Sets and queues that only speed up answers are rebuilt from the rest.
 */
import type { TaskId } from "../plan/plan.ts";
import type { Budget } from "../plan/value-readers.ts";
import type { DeepReadonly } from "../std/deep-readonly.ts";
import type { CommitId, TreeId } from "../std/object-id.ts";
import type { DecisionMaker } from "./decision-maker.ts";
import type {
  Finding,
  PauseReason,
  QuestionId,
  RecordedEvidence,
  RecordedNote,
  Role,
  TurnId,
} from "./event.ts";
import type { RankSet } from "./rules/turn/rank-set.ts";
import type { RecordedTask, RunStarted } from "./run-started.ts";

export type State = DeepReadonly<MutableState>;
export type Task = DeepReadonly<MutableTask>;
export type Turn = DeepReadonly<MutableTurn>;
export type Question = DeepReadonly<MutableQuestion>;

/** Only `evolve` and the functions it calls may hold one. */
export interface MutableState {
  run: Omit<RunStarted, "tasks"> | undefined;
  /** Number of the last event. */
  seq: number;
  /** Run time of the last event, in milliseconds. */
  time: number;
  /** Wall time of the last event, in milliseconds since 1970: for records only. */
  at: number;
  /** How many processes have been the run's writer. */
  sessions: number;
  /** How often the run was resumed after standing still. A process that only records something does not resume it. */
  resumes: number;
  /** The run was paused or stopped in this session, so a resume is more than the new session's own. */
  wasHalted: boolean;
  /** Whether the system confines agents to their desks. */
  isConfined: boolean;
  /** Agents are confined, but their changes to package caches persist. */
  isWithoutLayers: boolean;
  /** Changes found outside the desks while agents were not confined: the newest ones, and how many there were. */
  outside: { count: number; items: OutsideChange[] };
  status: RunStatus;
  /** In the order of the plan. */
  tasks: Map<TaskId, MutableTask>;
  /** Dispatched, and not known to have ended. */
  turns: Map<TurnId, MutableTurn>;
  /** Turns that ended with a reply that has not been read yet. */
  replies: Map<TurnId, MutableTurn>;
  questions: Map<QuestionId, MutableQuestion>;
  /** Agents that failed since their last reply, by name. */
  availability: Map<string, AgentAvailability>;
  /** Accounts that met a rate limit, by name. */
  accounts: Map<string, LimitedAccount>;
  /** The newest commit of the run's branch. */
  tip: CommitId;
  tipTree: TreeId;
  /** Passing evidence, by tree and commands: `evidenceKey`. */
  evidence: Map<string, RecordedEvidence>;
  spent: TotalSpending;
  budget: Budget;
  /** Who gets the branch next; only the first entry works on it. */
  queue: BranchWork[];
  landing: LandingState | undefined;
  landed: readonly { branch: string; from: CommitId; to: CommitId }[];
  /** What the verify commands said about the whole at `tip`, once every task was done. */
  finalVerify: { tree: TreeId; passed: boolean; why: string } | undefined;
  /** The same for the commit that the run begins at, and which commands failed. */
  baseVerify: { passed: boolean; why: string; failed: readonly string[] } | undefined;
  /** Recorded requests of people: one that arrives twice counts once. */
  requests: Set<string>;
  index: Index;
}

export type RunStatus =
  | { name: "none" }
  | { name: "running" }
  | { name: "paused"; reason: PauseReason; detail: string }
  | { name: "stopped" }
  | { name: "finished"; outcome: "done" | "failed" };

export interface MutableTask {
  facts: RecordedTask;
  /** Position in the plan, from 0. */
  position: number;
  /** Position in the order of selection. */
  rank: number;
  level: number;
  downstream: number;
  dependents: readonly TaskId[];
  unmet: number;
  phase: Phase;
  /** Number of the event that put the task in this phase. */
  since: number;
  /** Agents that cannot do or judge the task, though others may: it is too long for their model, or they refused it. */
  unfitAgents: UnfitAgent[];
  /** The last conversation of each role, while it can be resumed. */
  conversations: Partial<Record<Role, Conversation>>;
  /**
   * From its dispatch on, the task reserves what it declares to write and share: no task that declares the same may
   * begin.
   */
  hasReservation: boolean;
  /** Rounds of work; 1 when it is first dispatched. */
  attempt: number;
  /** Turns of this attempt, counted separately for developers and auditors. */
  turnsOfAttempt: number;
  auditTurnsOfAttempt: number;
  counts: Counts;
  desk: DeskState | undefined;
  work: Work | undefined;
  /** What the next prompt must say: why the last reply, audit or integration was not good enough. */
  feedback: readonly Finding[];
  guidance: { question: string; answer: string }[];
  /** Hashes of the notes and requests that answers have settled. */
  settled: readonly string[];
  checkpoint: string | undefined;
  /** What a person allowed, each bound to its content: `allowanceKey`. */
  allowed: readonly string[];
  spent: TotalSpending;
  /** How often its own budget may be spent: once, plus once for each retry. */
  budgetsGranted: number;
  outputs: readonly string[];
}

/** `rest` or `out` is set while the agent must not be dispatched; neither is set once it is back, until it replies. */
export interface AgentAvailability {
  agent: string;
  rest: { code: string; until: number } | undefined;
  out: { code: string; message: string } | undefined;
  /** In a row, without a reply in between. */
  rests: number;
}

/** An account that met a limit: it rests, or fewer of its agents may work at once than there are slots. */
export interface LimitedAccount {
  account: string;
  rest: AccountRest | undefined;
  /** In a row, without a reply in between. */
  rests: number;
  /** How many of its turns may be under way at once; undefined means as many as there are slots. */
  atOnce: number | undefined;
  /** Replies since that number changed. */
  successes: number;
}

export interface AccountRest {
  /** Who met the limit. */
  agent: string;
  code: string;
  /** Run time, and the same moment in wall time: run time stands still while nobody works at the run. */
  until: number;
  untilAt: number;
}

export interface UnfitAgent {
  role: Role;
  agent: string;
  message: string;
}

export interface Conversation {
  agent: string;
  session: string;
  attempt: number;
}

/** What counts against a limit. A counter starts again when something better happens. */
export interface Counts {
  /** In a row, for the role whose turn it is. */
  repliesRefused: number;
  turnsLost: number;
  auditTurnsLost: number;
  auditsFailed: number;
  /** Failed audits, work reported as incomplete, integrations that conflicted. */
  roundsFailed: number;
}

export type Phase =
  /** Waiting for its dependencies. */
  | { name: "waiting" }
  | { name: "ready" }
  | { name: "working"; step: "due" }
  | { name: "working"; step: "turn" | "collect"; turn: TurnId }
  | { name: "auditing"; step: "verify" | "due" }
  | { name: "auditing"; step: "turn" | "collect"; turn: TurnId }
  | { name: "integrating"; step: IntegrationStep }
  /** Waiting for a person; `resumes` says what continues afterwards. */
  | { name: "held"; question: QuestionId; resumes: "work" | "collect" | "audit"; turn?: TurnId }
  /** `resumes` says where a retry continues: finished work that nobody could judge is not done again. */
  | { name: "failed"; reason: string; resumes: "work" | "audit"; question?: QuestionId }
  | { name: "done"; commit?: TaskCommit }
  /** Its commit is being reverted. */
  | { name: "reverting"; commit: TaskCommit };

export type IntegrationStep =
  | { name: "merge" }
  | { name: "verify"; onto: CommitId; tree: TreeId }
  | { name: "commit"; onto: CommitId; tree: TreeId }
  | { name: "advance"; onto: CommitId; tree: TreeId; commit: CommitId };

export interface TaskCommit {
  sha: CommitId;
  parent: CommitId;
  tree: TreeId;
  files: readonly string[];
  /** Run time. */
  at: number;
  /** Number of the event that recorded it: later commits have greater numbers. */
  seq: number;
}

/** Operations of an earlier reply are already at the desk, so the next reply needs none. */
export function isWorkAtDesk({ desk }: Task): boolean {
  return desk?.carriedOut !== undefined;
}

/** The checkout that the task's next turn starts from. */
export interface DeskState {
  base: CommitId;
  tree: TreeId;
  /** Whether to use what was left at the desk instead of `tree`. */
  keep: boolean;
  /** Hash of operations that are already in `tree`, because their agent asked a question along with them. */
  carriedOut?: string;
}

export interface Work {
  attempt: number;
  /** The agent that handed it in. */
  author: string;
  base: CommitId;
  tree: TreeId;
  files: readonly string[];
  summary: string;
  /** Notes of the author, then of the auditor that passed it. */
  notes: readonly RecordedNote[];
  /** Wall time of the pass, in milliseconds since 1970. */
  passedAt: number;
}

export interface MutableTurn {
  turn: TurnId;
  task: TaskId;
  role: Role;
  agent: string;
  attempt: number;
  fenceTag: string;
  timeoutMs: number;
  stallMs: number;
  /** The conversation that this turn resumes. */
  resumes: string | undefined;
  /** Run time of its dispatch. */
  since: number;
  process: { pid: number; started: string } | undefined;
  checkpoints: number;
  checkpoint: string | undefined;
  /** Why the turn is no longer wanted; if set, it is to be ended. */
  unwanted: string | undefined;
  /**
   * Deletes of its reply that are already in the log, because the reply may be read again after a person's decision.
   * The keys are those of allowances.
   */
  deletesLogged: readonly string[];
  /** Known once the turn has replied, and not for every agent. */
  toolUses: number | undefined;
}

export interface MutableQuestion {
  question: QuestionId;
  kind: "guidance" | "trouble" | "confirmation";
  task: TaskId;
  agent: string | undefined;
  text: string;
  options: readonly string[];
  /** What a confirmation would allow, and its digest. */
  items: readonly Finding[];
  digest: string | undefined;
  /** Hashes of what an answer settles. */
  settles: readonly string[];
  /** Set if it asks because no agent is left for a task: the agents that are ruled out. */
  agents: readonly string[] | undefined;
  /** Run time. */
  asked: number;
  /** The same moment in wall time, in milliseconds since 1970: a question's age grows while nobody works at the run. */
  askedAt: number;
  decision: { text: string; by: DecisionMaker } | { withdrawn: string } | undefined;
}

export interface TotalSpending {
  turns: number;
  ms: number;
  tokens: number;
  usdMicros: number;
  /** The part that was calculated from a table of prices; missing if there is none. */
  usdMicrosEstimated?: number;
  /** Turns that cost more than is counted, by an unknown amount; missing if there are none. Likewise for tokens. */
  turnsOfUnknownCost?: number;
  turnsOfUnknownTokens?: number;
  /** The most expensive turn so far: this much is set aside before another turn is dispatched. */
  turnTokensMax: number;
  turnUsdMicrosMax: number;
}

export type BranchWork = { of: "task"; task: TaskId } | { of: "rollback"; task: TaskId; step: RollbackStep };

/** All reverts of a request are brought to `advance`, each on top of the one before; then the branch moves once. */
export type RollbackStep =
  | { name: "revert" }
  | { name: "advance"; onto: CommitId; tree: TreeId; commit: CommitId }
  | { name: "verify"; tree: TreeId };

export interface LandingState {
  branch: string;
  from: CommitId;
  to: CommitId;
  changeset: string;
}

export interface OutsideChange {
  task: TaskId;
  agent: string;
  finding: Finding;
}

/** Speeds up answers. It contains nothing that the rest of the state does not say. */
export interface Index {
  byRank: readonly MutableTask[];
  ready: RankSet;
  /** Tasks whose next turn is due, in the order they became due. A task that a person released must reserve again. */
  dueWork: Set<TaskId>;
  dueAudits: Set<TaskId>;
  verifying: Set<TaskId>;
  /** Tasks that have reserved what they declare. */
  reserving: Set<TaskId>;
  /** How many tasks are in each phase. */
  counts: Record<Phase["name"], number>;
  /** How many tasks of each level are not done yet. */
  openByLevel: number[];
  /** The lowest level with an open task. */
  level: number;
  /** Questions that are not decided yet. */
  openQuestions: Set<QuestionId>;
  /** The open questions that were asked because no agent is left for a task. */
  askedForAgents: Set<QuestionId>;
}

/** One content at one path: allowing it allows nothing else. */
export function allowanceKey({ path, sha256 }: { readonly path?: string; readonly sha256?: string }): string {
  return `${sha256} ${path}`;
}

/** Something outside prevents what the run needs: it waits for a person. */
export function isInTrouble({ status }: State): boolean {
  return status.name === "paused" && status.reason === "trouble";
}

export function evidenceKey(tree: TreeId, commands: readonly string[]): string {
  return JSON.stringify([tree, ...commands]);
}
