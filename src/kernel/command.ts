/**
 * Everything that can be asked of a run: by a person, by time, by the outcome of an effect, or by the kernel itself
 * (its orders). `admit` answers each command with events, or with a refusal that says why.
 */
import type { TaskId } from "../plan/plan.ts";
import type { Budget } from "../plan/value-readers.ts";
import type { CommitId, TreeId } from "../std/object-id.ts";
import type { DecisionMaker } from "./decision-maker.ts";
import type {
  Event,
  Events,
  Finding,
  PauseReason,
  QuestionId,
  RecordedEvidence,
  RecordedNote,
  Role,
  TurnId,
  TurnSpending,
  VerifyKey,
} from "./event.ts";
import type { RecordedChangeset } from "./recorded-changeset.ts";
import type { RunStarted } from "./run-started.ts";

export type Command = ExternalCommand | Order | EffectOutcome;

/** Commands from outside. */
export type ExternalCommand =
  | { readonly command: "start"; readonly run: RunStarted }
  | {
      readonly command: "open-session";
      readonly pid: number;
      readonly version: string;
      readonly replayed: number;
      readonly recovered: readonly string[];
      /** Whether the session starts agents; otherwise it only records something. */
      readonly isWorking: boolean;
    }
  | { readonly command: "leave-waiting" }
  | { readonly command: "find-confinement"; readonly holds: boolean; readonly hasLayers: boolean }
  | {
      readonly command: "pause";
      readonly reason: PauseReason;
      readonly detail: string;
      readonly by: DecisionMaker;
    }
  | { readonly command: "resume"; readonly by: DecisionMaker; readonly budget?: Budget }
  | { readonly command: "stop"; readonly by: DecisionMaker }
  | {
      readonly command: "answer";
      readonly question: QuestionId;
      readonly answer: string;
      readonly by: DecisionMaker;
    }
  | { readonly command: "confirm"; readonly question: QuestionId; readonly by: DecisionMaker }
  | {
      readonly command: "deny";
      readonly question: QuestionId;
      readonly reason: string;
      readonly by: DecisionMaker;
    }
  | { readonly command: "retry"; readonly task: TaskId; readonly afresh: boolean; readonly by: DecisionMaker }
  | {
      readonly command: "rollback";
      readonly task: TaskId;
      readonly cascade: boolean;
      readonly by: DecisionMaker;
    }
  /** Reverts nothing: it only logs that a rollback turned out to be impossible. */
  | {
      readonly command: "log-rollback-refusal";
      readonly task: TaskId;
      readonly cascade: boolean;
      /** Set when the reverts were tried and conflict. */
      readonly conflict?: { readonly task: TaskId; readonly paths: readonly string[] };
      readonly by: DecisionMaker;
    }
  | {
      readonly command: "prepare-landing";
      readonly branch: string;
      readonly from: CommitId;
      readonly to: CommitId;
      /** The tree of `to`. */
      readonly tree: TreeId;
      readonly changeset: string;
      /** A person wants to land it without passing evidence. */
      readonly unverified?: true;
      readonly by: DecisionMaker;
    }
  | { readonly command: "end-landing"; readonly landed: boolean; readonly reason: string }
  /** An agent did something it may not do. */
  | { readonly command: "report"; readonly turn: TurnId; readonly code: string; readonly message: string };

/** What the kernel wants recorded because the state asks for it. */
export type Order =
  | {
      readonly command: "dispatch";
      readonly task: TaskId;
      readonly role: Role;
      readonly agent: string;
      /** The tag of the reply's fence. It is random, so the loop adds it. */
      readonly fenceTag: string;
    }
  /** No agent is dispatched until the limit is raised. */
  | { readonly command: "hold-for-budget"; readonly detail: string }
  /** The rest of the agent, or of its account, is over. */
  | { readonly command: "return-agent"; readonly agent: string; readonly account?: string }
  /** No agent is left for the task, so a person is asked. */
  | { readonly command: "hold-for-agent"; readonly task: TaskId }
  /** The missing agent is back, so nobody needs to answer. */
  | { readonly command: "withdraw"; readonly question: QuestionId }
  | { readonly command: "finish" };

/** The outcomes of effects. */
export type EffectOutcome =
  | {
      readonly command: "turn-started";
      readonly turn: TurnId;
      readonly pid: number;
      readonly started: string;
    }
  | {
      readonly command: "turn-checkpoint";
      readonly turn: TurnId;
      readonly text: string;
      readonly tree?: TreeId;
    }
  | {
      readonly command: "turn-ended";
      readonly turn: TurnId;
      readonly ended: TurnEnded;
      readonly spent: TurnSpending;
    }
  | { readonly command: "outside-changed"; readonly turn: TurnId; readonly items: readonly Finding[] }
  | {
      readonly command: "collected";
      readonly turn: TurnId;
      readonly result: ReplyOutcome;
      /** Only for a developer's reply. */
      readonly record?: ReplyRecord;
    }
  | {
      readonly command: "verified";
      readonly work: VerifyKey;
      readonly tree: TreeId;
      readonly evidence: RecordedEvidence;
      readonly failure?: string;
      /** A command was killed because it took too long. */
      readonly isTimedOut?: boolean;
    }
  | {
      readonly command: "merged";
      readonly task: TaskId;
      readonly onto: CommitId;
      readonly result: MergeResult;
    }
  | {
      readonly command: "committed";
      readonly task: TaskId;
      readonly parent: CommitId;
      readonly tree: TreeId;
      readonly commit: CommitId;
    }
  | {
      readonly command: "reverted";
      readonly task: TaskId;
      readonly onto: CommitId;
      readonly result:
        | { readonly kind: "committed"; readonly tree: TreeId; readonly commit: CommitId }
        | { readonly kind: "conflict"; readonly paths: readonly string[] };
    }
  /** `found` is where the branch was, if that was neither `from` nor `to`. */
  | {
      readonly command: "advanced";
      readonly from: CommitId;
      readonly to: CommitId;
      readonly found?: CommitId;
    }
  /** An effect failed for an outside reason (git, disk, machine). */
  | {
      readonly command: "effect-failed";
      readonly key: string;
      readonly problem: Finding;
    };

export type TurnEnded =
  | {
      readonly how: "replied";
      readonly replySha256: string;
      readonly session?: string;
      /** Missing if it cannot be known. */
      readonly toolUses?: number;
    }
  | {
      readonly how: "timed-out";
      readonly limit: "wall" | "stall";
      readonly afterMs: number;
      readonly lastLine: string;
      readonly session?: string;
    }
  | {
      readonly how: "crashed";
      readonly code: string;
      readonly message: string;
      readonly lastLine: string;
      /** Time until a limit resets, if the agent reported it. */
      readonly resetsInMs?: number;
      /** Lets a later turn resume the conversation. */
      readonly session?: string;
    }
  | { readonly how: "cancelled"; readonly reason: string };

export type ReplyOutcome =
  | {
      readonly kind: "work";
      readonly tree: TreeId;
      readonly files: readonly string[];
      readonly summary: string;
      readonly outputs: readonly string[];
      readonly notes?: readonly RecordedNote[];
    }
  | { readonly kind: "refused"; readonly problems: readonly Finding[] }
  | { readonly kind: "needs-confirmation"; readonly digest: string; readonly items: readonly Finding[] }
  | {
      readonly kind: "question";
      readonly text: string;
      readonly options: readonly string[];
      /** This and the next two: see the event `agent_seeks_guidance`. */
      readonly settles?: readonly string[];
      readonly tree?: TreeId;
      readonly carriedOut?: string;
    }
  | { readonly kind: "incomplete"; readonly reason: string }
  | { readonly kind: "pass"; readonly summary: string; readonly notes?: readonly RecordedNote[] }
  | { readonly kind: "fail"; readonly findings: readonly Finding[] }
  | { readonly kind: "blocked"; readonly reason: string };

/** What was proposed or done to the files, whatever the outcome. */
export interface ReplyRecord {
  readonly changeset: RecordedChangeset;
  readonly deletes?: Pick<Events["delete_requested"], "policy" | "files" | "total">;
}

export type MergeResult =
  | { readonly kind: "clean"; readonly tree: TreeId; readonly files: readonly string[] }
  | { readonly kind: "conflict"; readonly tree: TreeId; readonly paths: readonly string[] };

/** The answer of `admit`: the events that the command causes, or why it causes none. */
export type Admitted = readonly Event[] | Refusal;

/** Why a command was not admitted. Nothing was recorded. */
export type Refusal =
  | { readonly refused: "run-already-started" }
  | { readonly refused: "run-not-started" }
  | { readonly refused: "unknown-task"; readonly task: TaskId; readonly known: readonly TaskId[] }
  | {
      readonly refused: "unknown-question";
      readonly question: QuestionId;
      readonly open: readonly QuestionId[];
    }
  | {
      readonly refused: "already-decided";
      readonly question: QuestionId;
      readonly decision: string;
      readonly by: DecisionMaker;
    }
  | {
      readonly refused: "wrong-kind-of-question";
      readonly question: QuestionId;
      readonly wants: "answer" | "confirm";
    }
  /** There is no such transition; `from` and `to` name both ends. */
  | {
      readonly refused: "illegal-transition";
      readonly task: TaskId;
      readonly from: string;
      readonly to: string;
    }
  /** The result of an act that is no longer wanted. */
  | { readonly refused: "stale"; readonly key: string }
  | { readonly refused: "no-evidence"; readonly task: TaskId; readonly tree: TreeId }
  | { readonly refused: "not-possible-now"; readonly why: string }
  | { readonly refused: "request-already-handled"; readonly request: string };
