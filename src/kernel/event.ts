/**
 * Everything that can have happened in a run. The log is a list of these, and the state is made from nothing else.
 *
 * Names are facts in the past; those of the first coordinator's log are kept. Data is plain JSON, in the log's own
 * spelling, readable by a person. `agent_*` speak of a turn, all others of the task or the run.
 */
import type { TaskId } from "../plan/plan.ts";
import type { Budget } from "../plan/value-readers.ts";
import type { Decider } from "./decider.ts";
import type { RunStarted } from "./run-started.ts";
import type { Sha } from "./sha.ts";

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
  /** A process has become the run's writer; its number in the log is the writer's fence. */
  session_started: { readonly pid: number; readonly version: string; readonly resumes: number };
  /** The process left of itself, though the run has not ended: only a person can go on with it. */
  session_ended: { readonly why: "waiting" };
  /** The state was made anew from the log. */
  state_reconstructed: { readonly events_replayed: number };
  /** Something that a crash left behind was found and put aside. */
  state_recovery_needed: { readonly reason: string };
  /** Whether the system holds agents to their desks; said when it is not as it was known. */
  confinement_found: { readonly holds: boolean };
  run_paused: { readonly reason: PauseReason; readonly detail: string; readonly by?: Decider };
  run_resumed: { readonly by?: Decider; readonly budget?: Budget };
  /** Turns under way are ended and nothing new begins. */
  run_stopped: { readonly by: Decider };
  run_finished: { readonly outcome: "done" | "failed"; readonly tip: Sha };

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
    /** The conversation that it goes on with. */
    readonly resumes?: string;
  };
  agent_started: { readonly turn: TurnId; readonly pid: number; readonly started: string };
  agent_checkpoint: { readonly turn: TurnId; readonly text: string; readonly tree?: Sha };
  agent_complete: {
    readonly turn: TurnId;
    readonly reply_sha256: string;
    readonly spent: Spent;
    /** The conversation that a later turn can go on with; so with the next two. */
    readonly session?: string;
  };
  agent_timeout: {
    readonly turn: TurnId;
    readonly limit: "wall" | "stall";
    readonly after_ms: number;
    readonly last_line: string;
    readonly spent: Spent;
    readonly session?: string;
  };
  agent_crashed: {
    readonly turn: TurnId;
    readonly code: string;
    readonly message: string;
    readonly last_line: string;
    readonly spent: Spent;
    readonly session?: string;
  };
  /** It was ended by us for no fault of its own. */
  agent_cancelled: { readonly turn: TurnId; readonly reason: string; readonly spent: Spent };
  /** It did what it may not do; nothing of it had an effect. */
  agent_overstepped: { readonly turn: TurnId; readonly code: string; readonly message: string };

  /** What is not the agent's changed while it worked and nothing held it to its desk: by it, or by somebody else. */
  outside_changed: { readonly turn: TurnId; readonly task: TaskId; readonly items: readonly Told[] };

  // Agents
  /** Nobody sends it to work for so long: a limit of its model, or a server that fails. */
  agent_rested: { readonly agent: string; readonly code: string; readonly for_ms: number };
  /** Nobody sends it to work before a person decides, or a new session begins. */
  agent_ruled_out: { readonly agent: string; readonly code: string; readonly message: string };
  agent_returned: { readonly agent: string };

  // Developing
  developer_dispatched: {
    readonly task: TaskId;
    readonly agent: string;
    readonly attempt: number;
    /** The commit that the desk stands on. */
    readonly base: Sha;
  };
  developer_checkpoint: { readonly task: TaskId; readonly text: string; readonly tree?: Sha };
  reply_refused: { readonly task: TaskId; readonly turn: TurnId; readonly problems: readonly Told[] };
  task_incomplete: { readonly task: TaskId; readonly attempt: number; readonly reason: string };
  developer_ready_for_audit: {
    readonly task: TaskId;
    readonly attempt: number;
    readonly tree: Sha;
    readonly files: readonly string[];
    readonly summary: string;
    readonly outputs: readonly string[];
  };

  // Judging
  verification_passed: { readonly work: VerifyKey; readonly tree: Sha; readonly evidence: EvidenceFacts };
  verification_failed: {
    readonly work: VerifyKey;
    readonly tree: Sha;
    readonly evidence: EvidenceFacts;
    readonly why: string;
  };
  audit_passed: {
    readonly task: TaskId;
    readonly attempt: number;
    /** An agent, `verify commands`, or `nobody` where the plan says so. */
    readonly by: string;
    readonly tree: Sha;
    readonly summary: string;
  };
  auditor_fail: {
    readonly task: TaskId;
    readonly attempt: number;
    readonly by: string;
    readonly findings: readonly Told[];
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
    readonly onto: Sha;
    readonly tree: Sha;
  };
  integration_conflicted: {
    readonly task: TaskId;
    readonly attempt: number;
    readonly onto: Sha;
    /** With conflict markers in `paths`. */
    readonly tree: Sha;
    readonly paths: readonly string[];
  };
  integration_prepared: {
    readonly task: TaskId;
    readonly attempt: number;
    readonly parent: Sha;
    readonly tree: Sha;
    readonly commit: Sha;
  };
  task_commit_recorded: {
    readonly task: TaskId;
    readonly commit_sha: Sha;
    readonly parent: Sha;
    readonly files_modified: readonly string[];
    readonly branch: string;
  };
  task_complete: { readonly task: TaskId; readonly agent: string; readonly evidence_summary: string };

  // Giving up, trying again
  task_failed: { readonly task: TaskId; readonly reason: string };
  task_retried: { readonly task: TaskId; readonly by: Decider; readonly afresh: boolean };
  task_aborted: { readonly task: TaskId; readonly reason: string };

  // People
  agent_seeks_guidance: {
    readonly question: QuestionId;
    readonly task: TaskId;
    readonly agent: string;
    readonly text: string;
    readonly options: readonly string[];
  };
  divine_response_received: { readonly question: QuestionId; readonly answer: string; readonly by: Decider };
  agent_resumes_with_guidance: { readonly question: QuestionId; readonly task: TaskId };
  /** By the coordinator itself, when it cannot go on alone. */
  question_asked: {
    readonly question: QuestionId;
    readonly task: TaskId;
    readonly text: string;
    readonly options: readonly string[];
    /** Where nobody is left for the task: those who are ruled out, and whom an answer brings back. */
    readonly agents?: readonly string[];
  };
  confirmation_requested: {
    readonly question: QuestionId;
    readonly task: TaskId;
    readonly turn: TurnId;
    /** Of exactly what is to be allowed. */
    readonly digest: string;
    readonly items: readonly Told[];
  };
  confirmation_given: { readonly question: QuestionId; readonly digest: string; readonly by: Decider };
  confirmation_denied: { readonly question: QuestionId; readonly reason: string; readonly by: Decider };
  question_withdrawn: { readonly question: QuestionId; readonly reason: string };

  // Taking back
  rollback_requested: { readonly tasks: readonly TaskId[]; readonly by: Decider };
  rollback_prepared: {
    readonly task: TaskId;
    readonly reverts: Sha;
    readonly parent: Sha;
    readonly tree: Sha;
    readonly commit: Sha;
  };
  task_rolled_back: { readonly task: TaskId; readonly from_sha: Sha; readonly to_sha: Sha };
  rollback_blocked: {
    readonly task: TaskId;
    readonly reason: string;
    readonly dependents: readonly TaskId[];
  };
  rollback_failed: { readonly task: TaskId; readonly reason: string };

  // Landing
  landing_prepared: {
    readonly branch: string;
    readonly from: Sha;
    readonly to: Sha;
    /** Of `to`; older logs do not say it. */
    readonly tree?: Sha;
    readonly changeset: string;
    /** A person wished it although nobody saw it pass. */
    readonly unverified?: true;
    readonly by: Decider;
  };
  run_landed: { readonly branch: string; readonly from: Sha; readonly to: Sha };
  landing_undone: { readonly reason: string };
}

export type Role = "developer" | "auditor";
/** `trouble`: git, the disk or the machine would not do what a run needs. */
export type PauseReason = "person" | "budget" | "trouble";

export interface Spent {
  readonly ms: number;
  readonly tokens?: number;
  readonly usd_micros?: number;
  /** The money was reckoned from a table of prices. */
  readonly usd_estimated?: true;
  /** Models that were used and have no price: what they cost is not in it. */
  readonly unpriced?: readonly string[];
}

/** A problem or finding as it is kept: what, where, and what to do. */
export interface Told {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly path?: string;
  /** Of the content it speaks of, where a person is asked to allow exactly that. */
  readonly sha256?: string;
}

/** What a verification was for. */
export type VerifyKey =
  | { readonly of: "task"; readonly task: TaskId; readonly attempt: number }
  /** On top of what landed meanwhile. */
  | { readonly of: "merge"; readonly task: TaskId; readonly attempt: number; readonly onto: Sha }
  | { readonly of: "rollback"; readonly task: TaskId }
  | { readonly of: "run" }
  /** What the run begins at, before any agent. */
  | { readonly of: "base" }
  /** What a landing would make of the user's branch, which is at `onto`. */
  | { readonly of: "landing"; readonly onto: Sha };

export interface EvidenceFacts {
  /** Of the file that holds it. */
  readonly sha256: string;
  readonly commands: readonly {
    readonly command: string;
    readonly exit: number | null;
    readonly ms: number;
  }[];
}
