/**
 * Everything that can happen in a run. The log is a list of these events, and the state is built from nothing else.
 *
 * Names are facts in the past tense; the names of the first coordinator's log are kept. Data is plain JSON with the
 * log's own spelling, readable by people. `agent_*` events are about a turn or an agent, all others about a task or the
 * run.
 */
import type { TaskId } from "../plan/plan.ts";
import type { Budget } from "../plan/value-readers.ts";
import type { CommitId, TreeId } from "../std/object-id.ts";
import type { DecisionMaker } from "./decision-maker.ts";
import type { RecordedChangeset, RecordedDelete } from "./recorded-changeset.ts";
import type { RunStarted } from "./run-started.ts";

export type Event = { readonly [Name in EventName]: EventOf<Name> }[EventName];
export type EventName = keyof Events;
export interface EventOf<Name extends EventName> {
  readonly event: Name;
  readonly data: Events[Name];
}

export type TurnId = string & { readonly __brand: "TurnId" };
export type QuestionId = string & { readonly __brand: "QuestionId" };

export interface Events {
  // The run
  run_started: RunStarted;
  /** A process became the run's writer. The number of this event in the log is the writer's fence. */
  session_started: {
    readonly pid: number;
    readonly version: string;
    /** How often the run was resumed, including this time. Older logs count every process except the first. */
    readonly resumes: number;
    /** The process only records a decision or lands, and starts no agent, so it does not resume the run. */
    readonly only_records?: true;
  };
  /** The process left by itself before the run ended, because only a person can unblock it. */
  session_ended: { readonly why: "waiting" };
  /** The state was rebuilt from the log. */
  state_reconstructed: { readonly events_replayed: number };
  /** Something left behind by a crash was found and put aside. */
  state_recovery_needed: { readonly reason: string };
  /** Whether the system confines agents to their desks. Recorded when this differs from what was known. */
  confinement_found: {
    readonly holds: boolean;
    /** Agents are confined, but their changes to package caches persist, and sockets in the home can be reached. */
    readonly without_layers?: true;
  };
  run_paused: { readonly reason: PauseReason; readonly detail: string; readonly by?: DecisionMaker };
  run_resumed: { readonly by?: DecisionMaker; readonly budget?: Budget };
  /** Running turns are ended and nothing new begins. */
  run_stopped: { readonly by: DecisionMaker };
  run_finished: { readonly outcome: "done" | "failed"; readonly tip: CommitId };

  // Turns
  agent_dispatched: {
    readonly turn: TurnId;
    readonly agent: string;
    readonly role: Role;
    readonly task: TaskId;
    readonly attempt: number;
    readonly fence_tag: string;
    readonly timeout_ms: number;
    readonly stall_ms: number;
    /** The conversation that this turn resumes. */
    readonly resumes?: string;
  };
  agent_started: { readonly turn: TurnId; readonly pid: number; readonly started: string };
  agent_checkpoint: { readonly turn: TurnId; readonly text: string; readonly tree?: TreeId };
  agent_complete: {
    readonly turn: TurnId;
    readonly reply_sha256: string;
    readonly spent: TurnSpending;
    /** The conversation that a later turn can resume; likewise in the next two events. */
    readonly session?: string;
    /** How often the agent used a tool, if its program reports that. */
    readonly tool_uses?: number;
  };
  agent_timeout: {
    readonly turn: TurnId;
    readonly limit: "wall" | "stall";
    readonly after_ms: number;
    readonly last_line: string;
    readonly spent: TurnSpending;
    readonly session?: string;
  };
  agent_crashed: {
    readonly turn: TurnId;
    readonly code: string;
    readonly message: string;
    readonly last_line: string;
    readonly spent: TurnSpending;
    readonly session?: string;
  };
  /** We ended the turn, through no fault of the agent. */
  agent_cancelled: { readonly turn: TurnId; readonly reason: string; readonly spent: TurnSpending };
  /** The agent did something it may not do. It had no effect. */
  agent_overstepped: { readonly turn: TurnId; readonly code: string; readonly message: string };

  /** Something outside the agent's desk changed while it worked unconfined; perhaps somebody else did it. */
  outside_changed: { readonly turn: TurnId; readonly task: TaskId; readonly items: readonly Finding[] };

  // Agents
  /** The agent is not dispatched for this long, because of a limit of its model or a failing server. */
  agent_rested: {
    readonly agent: string;
    readonly code: string;
    readonly for_ms: number;
    /** Set for a rate limit: all agents of the account rest. Missing in older logs. */
    readonly account?: string;
    /** From now on, at most this many agents of the account may work at once. */
    readonly at_once?: number;
  };
  /** The agent is not dispatched until a person decides or a new session begins. */
  agent_ruled_out: { readonly agent: string; readonly code: string; readonly message: string };
  agent_returned: {
    readonly agent: string;
    /** If set, all agents of this account are back. */
    readonly account?: string;
  };

  // Developing
  developer_dispatched: {
    readonly task: TaskId;
    readonly agent: string;
    readonly attempt: number;
    /** The commit that the desk is based on. */
    readonly base: CommitId;
  };
  developer_checkpoint: { readonly task: TaskId; readonly text: string; readonly tree?: TreeId };
  /** Recorded before the event that reports the outcome of its changeset. */
  delete_requested: {
    readonly task: TaskId;
    readonly turn: TurnId;
    /** The setting that decided, or that required a person to be asked. */
    readonly policy: "ask" | "declared" | "always-allow" | "never";
    readonly files: readonly RecordedDelete[];
    /** How many there are in all; the list may be shorter. */
    readonly total: number;
  };
  reply_refused: {
    readonly task: TaskId;
    readonly turn: TurnId;
    readonly problems: readonly Finding[];
    /**
     * For a developer's reply; also in `developer_ready_for_audit` and `confirmation_requested`. Missing in older logs.
     */
    readonly changeset?: RecordedChangeset;
  };
  task_incomplete: {
    readonly task: TaskId;
    readonly attempt: number;
    readonly reason: string;
    /** Here and in `agent_seeks_guidance`: set only if operations were applied anyway. */
    readonly changeset?: RecordedChangeset;
  };
  developer_ready_for_audit: {
    readonly task: TaskId;
    readonly attempt: number;
    readonly tree: TreeId;
    readonly files: readonly string[];
    readonly summary: string;
    readonly outputs: readonly string[];
    readonly changeset?: RecordedChangeset;
    readonly notes?: readonly RecordedNote[];
  };

  // Judging
  verification_passed: {
    readonly work: VerifyKey;
    readonly tree: TreeId;
    readonly evidence: RecordedEvidence;
  };
  verification_failed: {
    readonly work: VerifyKey;
    readonly tree: TreeId;
    readonly evidence: RecordedEvidence;
    readonly why: string;
  };
  audit_passed: {
    readonly task: TaskId;
    readonly attempt: number;
    /** An agent, `verify commands`, or `nobody` if the plan says so. */
    readonly by: string;
    readonly tree: TreeId;
    readonly summary: string;
    readonly notes?: readonly RecordedNote[];
  };
  auditor_fail: {
    readonly task: TaskId;
    readonly attempt: number;
    readonly by: string;
    readonly findings: readonly Finding[];
  };
  auditor_blocked: {
    readonly task: TaskId;
    readonly attempt: number;
    readonly by: string;
    readonly reason: string;
  };

  // Integrating
  integration_merged: {
    readonly task: TaskId;
    readonly attempt: number;
    readonly onto: CommitId;
    readonly tree: TreeId;
  };
  integration_conflicted: {
    readonly task: TaskId;
    readonly attempt: number;
    readonly onto: CommitId;
    /** With conflict markers in the files `paths`. */
    readonly tree: TreeId;
    readonly paths: readonly string[];
  };
  integration_prepared: {
    readonly task: TaskId;
    readonly attempt: number;
    readonly parent: CommitId;
    readonly tree: TreeId;
    readonly commit: CommitId;
  };
  task_commit_recorded: {
    readonly task: TaskId;
    readonly commit_sha: CommitId;
    readonly parent: CommitId;
    readonly files_modified: readonly string[];
    readonly branch: string;
  };
  task_complete: { readonly task: TaskId; readonly agent: string; readonly evidence_summary: string };

  // Giving up, trying again
  task_failed: { readonly task: TaskId; readonly reason: string };
  task_retried: { readonly task: TaskId; readonly by: DecisionMaker; readonly afresh: boolean };
  task_aborted: { readonly task: TaskId; readonly reason: string };

  // People
  agent_seeks_guidance: {
    readonly question: QuestionId;
    readonly task: TaskId;
    readonly agent: string;
    readonly text: string;
    readonly options: readonly string[];
    /** Hashes of the notes and requests that an answer settles: they are not put to a person again. */
    readonly settles?: readonly string[];
    /** The tree at the desk when the agent asked. */
    readonly tree?: TreeId;
    /** Hash of the operations that `tree` already contains: a reply that repeats them does not apply them twice. */
    readonly carried_out?: string;
    readonly changeset?: RecordedChangeset;
  };
  divine_response_received: {
    readonly question: QuestionId;
    readonly answer: string;
    readonly by: DecisionMaker;
  };
  agent_resumes_with_guidance: { readonly question: QuestionId; readonly task: TaskId };
  /** Asked by the coordinator itself, when it cannot continue alone. */
  question_asked: {
    readonly question: QuestionId;
    readonly task: TaskId;
    readonly text: string;
    readonly options: readonly string[];
    /** Set if no agent is left for the task: the agents that are ruled out, and that an answer brings back. */
    readonly agents?: readonly string[];
  };
  confirmation_requested: {
    readonly question: QuestionId;
    readonly task: TaskId;
    readonly turn: TurnId;
    /** Digest of exactly what is to be allowed. */
    readonly digest: string;
    readonly items: readonly Finding[];
    readonly changeset?: RecordedChangeset;
  };
  confirmation_given: { readonly question: QuestionId; readonly digest: string; readonly by: DecisionMaker };
  confirmation_denied: { readonly question: QuestionId; readonly reason: string; readonly by: DecisionMaker };
  question_withdrawn: { readonly question: QuestionId; readonly reason: string };

  // Taking back
  rollback_requested: { readonly tasks: readonly TaskId[]; readonly by: DecisionMaker };
  rollback_prepared: {
    readonly task: TaskId;
    readonly reverts: CommitId;
    readonly parent: CommitId;
    readonly tree: TreeId;
    readonly commit: CommitId;
  };
  task_rolled_back: { readonly task: TaskId; readonly from_sha: CommitId; readonly to_sha: CommitId };
  rollback_blocked: {
    readonly task: TaskId;
    readonly reason: string;
    readonly dependents: readonly TaskId[];
    /** Who asked for it. Missing in older logs. */
    readonly by?: DecisionMaker;
  };
  rollback_failed: { readonly task: TaskId; readonly reason: string; readonly by?: DecisionMaker };

  // Landing
  landing_prepared: {
    readonly branch: string;
    readonly from: CommitId;
    readonly to: CommitId;
    /** The tree of `to`. Missing in older logs. */
    readonly tree?: TreeId;
    readonly changeset: string;
    /** A person wanted to land it without passing evidence. */
    readonly unverified?: true;
    readonly by: DecisionMaker;
  };
  run_landed: { readonly branch: string; readonly from: CommitId; readonly to: CommitId };
  landing_undone: { readonly reason: string };
}

export type Role = "developer" | "auditor";
/** `trouble`: git, the disk or the machine failed at something that the run needs. */
export type PauseReason = "person" | "budget" | "trouble";

export interface TurnSpending {
  readonly ms: number;
  readonly tokens?: number;
  /** Missing if unknown; zero only if known to be zero. */
  readonly usd_micros?: number;
  /** The cost was calculated from a table of prices. */
  readonly usd_estimated?: true;
  /** Models that were used but have no price: their cost is not included. */
  readonly unpriced?: readonly string[];
  /** The agent reported part of the cost in a form that could not be read or priced. */
  readonly usd_partial?: true;
}

/** A problem or finding as recorded: what, where, and what to do. */
export interface Finding {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly path?: string;
  /** Hash of the content in question, if a person is asked to allow exactly that. */
  readonly sha256?: string;
}

/** A note from an accepted reply: settled by its agent, or by a person's answer. */
export interface RecordedNote {
  readonly description: string;
  readonly status: "open" | "resolved" | "escalated";
  readonly category?: string;
  readonly resolution?: string;
}

/** What a verification is for. */
export type VerifyKey =
  | { readonly of: "task"; readonly task: TaskId; readonly attempt: number }
  /** The work on top of what was integrated meanwhile. */
  | { readonly of: "merge"; readonly task: TaskId; readonly attempt: number; readonly onto: CommitId }
  | { readonly of: "rollback"; readonly task: TaskId }
  | { readonly of: "run" }
  /** The commit that the run begins at, before any agent has worked. */
  | { readonly of: "base" }
  /** What a landing would make of the user's branch, which is at `onto`. */
  | { readonly of: "landing"; readonly onto: CommitId };

export interface RecordedEvidence {
  /** Hash of the evidence file. */
  readonly sha256: string;
  readonly commands: readonly {
    readonly command: string;
    readonly exit: number | null;
    readonly ms: number;
  }[];
}
