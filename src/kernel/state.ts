/**
 * What the coordinator believes: made from the events alone, by `evolve`, which owns it and changes it in place so that
 * an event costs the same in a plan of ten tasks and of a hundred thousand. Everybody else sees `State`, read-only.
 *
 * Two states are equal when their snapshots are; sets and queues that only make answers quick are made anew from it.
 */
import type { TaskId } from "../plan/plan.ts";
import type { Budget } from "../plan/value-readers.ts";
import type { DeepReadonly } from "../std/deep-readonly.ts";
import type { Decider } from "./decider.ts";
import type { EvidenceFacts, PauseReason, QuestionId, Role, Told, TurnId } from "./event.ts";
import type { RankSet } from "./rank-set.ts";
import type { RunStarted, TaskFacts } from "./run-started.ts";
import type { Sha } from "./sha.ts";

export type State = DeepReadonly<OwnState>;
export type Task = DeepReadonly<OwnTask>;
export type Turn = DeepReadonly<OwnTurn>;
export type Question = DeepReadonly<OwnQuestion>;

/** Only `evolve` and what it calls may hold one. */
export interface OwnState {
  run: Omit<RunStarted, "tasks"> | undefined;
  /** Number of the last event. */
  seq: number;
  /** Run time of the last event, in milliseconds. */
  time: number;
  /** Its wall time, in milliseconds since 1970: for records only. */
  at: number;
  sessions: number;
  /** Whether agents are held to their desks by the system. */
  isConfined: boolean;
  /** What was found to have changed outside while they were not; the newest, and how many there were. */
  outside: { count: number; items: OutsideChange[] };
  status: RunStatus;
  /** In the order of the plan. */
  tasks: Map<TaskId, OwnTask>;
  /** Dispatched, and not known to have ended. */
  turns: Map<TurnId, OwnTurn>;
  /** Ended with a reply that has not been read yet. */
  replies: Map<TurnId, OwnTurn>;
  questions: Map<QuestionId, OwnQuestion>;
  /** Of agents that failed since they last replied, by name. */
  standings: Map<string, Standing>;
  /** Of the run's branch. */
  tip: Sha;
  tipTree: Sha;
  /** Passing evidence, by what it was seen on: `evidenceKey`. */
  evidence: Map<string, EvidenceFacts>;
  spent: Spending;
  budget: Budget;
  /** Who gets the branch next; only the first one works on it. */
  queue: BranchWork[];
  landing: Landing | undefined;
  landed: readonly { branch: string; from: Sha; to: Sha }[];
  /** Whether the whole was verified at `tip` once everything was there. */
  finalVerify: { tree: Sha; passed: boolean; why: string } | undefined;
  /** Of the commit that the run begins at, where that was verified; and which commands failed. */
  baseVerify: { passed: boolean; why: string; failed: readonly string[] } | undefined;
  /** Requests of people that were recorded: one that comes twice counts once. */
  requests: Set<string>;
  index: Index;
}

export type RunStatus =
  | { name: "none" }
  | { name: "running" }
  | { name: "paused"; reason: PauseReason; detail: string }
  | { name: "stopped" }
  | { name: "finished"; outcome: "done" | "failed" };

export interface OwnTask {
  facts: TaskFacts;
  /** Position in the plan, from 0. */
  position: number;
  /** Position in the order of selection. */
  rank: number;
  level: number;
  downstream: number;
  dependents: readonly TaskId[];
  unmet: number;
  phase: Phase;
  /** Number of the event that brought it there. */
  since: number;
  /** Who cannot do or judge it, though others may: found too long for its model, or refused by it. */
  unfit: Unfit[];
  /** Of each role the last one, while it can be gone on with. */
  conversations: Partial<Record<Role, Conversation>>;
  /** What it declares to write and to share is its own, from its dispatch on; nobody else may begin with it. */
  hasClaims: boolean;
  /** Rounds of work, from 1 when it was first dispatched. */
  attempt: number;
  /** Turns of this attempt, developers and auditors apart. */
  turnsOfAttempt: number;
  auditTurnsOfAttempt: number;
  counts: Counts;
  desk: DeskWish | undefined;
  work: Work | undefined;
  /** What the next prompt must say: why the last reply, audit or integration was not good enough. */
  feedback: readonly Told[];
  guidance: { question: string; answer: string }[];
  checkpoint: string | undefined;
  /** What a person allowed, each with its content: `allowanceKey`. */
  allowed: readonly string[];
  spent: Spending;
  /** How often its own budget may be spent: once, and once more for each retry. */
  budgetsGranted: number;
  outputs: readonly string[];
}

/** One of the two while it is not to be sent to work, neither when it was and has not replied since. */
export interface Standing {
  agent: string;
  rest: { code: string; until: number } | undefined;
  out: { code: string; message: string } | undefined;
  /** In a row, without a reply in between. */
  rests: number;
}

export interface Unfit {
  role: Role;
  agent: string;
  message: string;
}

export interface Conversation {
  agent: string;
  session: string;
  attempt: number;
}

/** What counts against a limit, since the last time something better happened. */
export interface Counts {
  /** In a row, of whoever's turn it is. */
  repliesRefused: number;
  turnsLost: number;
  auditTurnsLost: number;
  auditsFailed: number;
  /** Audits failed, work given up as incomplete, integrations that did not fit. */
  roundsFailed: number;
}

export type Phase =
  /** For what it depends on. */
  | { name: "waiting" }
  | { name: "ready" }
  | { name: "working"; step: "due" }
  | { name: "working"; step: "turn" | "collect"; turn: TurnId }
  | { name: "auditing"; step: "verify" | "due" }
  | { name: "auditing"; step: "turn" | "collect"; turn: TurnId }
  | { name: "integrating"; step: IntegrationStep }
  /** For a person; what it goes on with then. */
  | { name: "held"; question: QuestionId; resumes: "work" | "collect" | "audit"; turn?: TurnId }
  /** What a retry goes on with: work that is there and that nobody could judge is not done again. */
  | { name: "failed"; reason: string; resumes: "work" | "audit"; question?: QuestionId }
  | { name: "verified"; commit?: TaskCommit }
  /** Its commit is being taken back. */
  | { name: "reverting"; commit: TaskCommit };

export type IntegrationStep =
  | { name: "merge" }
  | { name: "verify"; onto: Sha; tree: Sha }
  | { name: "seal"; onto: Sha; tree: Sha }
  | { name: "advance"; onto: Sha; tree: Sha; commit: Sha };

export interface TaskCommit {
  sha: Sha;
  parent: Sha;
  tree: Sha;
  files: readonly string[];
  /** Run time. */
  at: number;
  /** Number of the event that recorded it: later commits have greater ones. */
  seq: number;
}

/** The checkout that the next turn of a task is to find. */
export interface DeskWish {
  base: Sha;
  tree: Sha;
  /** Whether what was left at the desk is wanted instead of `tree`. */
  keep: boolean;
}

export interface Work {
  attempt: number;
  /** Who handed it in. */
  author: string;
  base: Sha;
  tree: Sha;
  files: readonly string[];
  summary: string;
  /** Wall time of the pass, in milliseconds since 1970. */
  passedAt: number;
}

export interface OwnTurn {
  turn: TurnId;
  task: TaskId;
  role: Role;
  agent: string;
  attempt: number;
  fenceTag: string;
  timeoutMs: number;
  stallMs: number;
  /** The conversation that it goes on with. */
  resumes: string | undefined;
  /** Run time of its dispatch. */
  since: number;
  process: { pid: number; started: string } | undefined;
  checkpoints: number;
  checkpoint: string | undefined;
  /** Why nobody wants it any more; it is to be ended. */
  unwanted: string | undefined;
}

export interface OwnQuestion {
  question: QuestionId;
  kind: "guidance" | "trouble" | "confirmation";
  task: TaskId;
  agent: string | undefined;
  text: string;
  options: readonly string[];
  /** What a confirmation would allow, and its digest. */
  items: readonly Told[];
  digest: string | undefined;
  /** Of one that asks because nobody is left for a task: those who are ruled out. */
  agents: readonly string[] | undefined;
  /** Run time. */
  asked: number;
  decision: { text: string; by: Decider } | { withdrawn: string } | undefined;
}

export interface Spending {
  turns: number;
  ms: number;
  tokens: number;
  usdMicros: number;
  /** Of it what was reckoned from a table of prices; absent where nothing was. */
  usdMicrosEstimated?: number;
  /** The dearest turn so far: what is set aside before another one is dispatched. */
  turnTokensMax: number;
  turnUsdMicrosMax: number;
}

export type BranchWork = { of: "task"; task: TaskId } | { of: "rollback"; task: TaskId; step: RollbackStep };

/** All of a request are brought to `advance`, each on top of the one before; then the branch moves once. */
export type RollbackStep =
  | { name: "revert" }
  | { name: "advance"; onto: Sha; tree: Sha; commit: Sha }
  | { name: "verify"; tree: Sha };

export interface Landing {
  branch: string;
  from: Sha;
  to: Sha;
  changeset: string;
}

export interface OutsideChange {
  task: TaskId;
  agent: string;
  told: Told;
}

/** What makes answers quick; nothing is known from it that the rest does not say. */
export interface Index {
  byRank: readonly OwnTask[];
  ready: RankSet;
  /** Tasks of which a turn is due, in the order they became so. Whoever comes back from a person claims anew. */
  dueWork: Set<TaskId>;
  dueAudits: Set<TaskId>;
  verifying: Set<TaskId>;
  /** Those that hold what they declare. */
  claiming: Set<TaskId>;
  /** How many tasks are in each phase. */
  counts: Record<Phase["name"], number>;
  /** How many tasks of each level are not verified yet. */
  openByLevel: number[];
  /** The lowest level with an open task. */
  level: number;
  /** Not decided yet. */
  openQuestions: Set<QuestionId>;
  /** Of those, the ones that are asked because nobody is left for a task. */
  askedForAgents: Set<QuestionId>;
}

/** One content at one path: to allow it is to allow nothing else. */
export function allowanceKey({ path, sha256 }: { readonly path?: string; readonly sha256?: string }): string {
  return `${sha256} ${path}`;
}

export function evidenceKey(tree: Sha, commands: readonly string[]): string {
  return JSON.stringify([tree, ...commands]);
}
