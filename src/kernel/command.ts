/**
 * What can be asked of a run: by the person, by time, by what came of an effect, by the kernel itself (its orders).
 * `admit` answers each with events, or with a refusal that says why.
 */
import type { TaskId } from "../plan/plan.ts";
import type { Budget } from "../plan/value-readers.ts";
import type { Decider } from "./decider.ts";
import type {
  Event,
  EvidenceFacts,
  PauseReason,
  QuestionId,
  Role,
  Spent,
  Told,
  TurnId,
  VerifyKey,
} from "./event.ts";
import type { RunStarted } from "./run-started.ts";
import type { Sha } from "./sha.ts";

export type Command = Door | Order | Outcome;

/** From outside. */
export type Door =
  | { readonly command: "start"; readonly run: RunStarted }
  | {
      readonly command: "open-session";
      readonly pid: number;
      readonly version: string;
      readonly replayed: number;
      readonly recovered: readonly string[];
    }
  | { readonly command: "leave-waiting" }
  | { readonly command: "find-confinement"; readonly holds: boolean }
  | { readonly command: "pause"; readonly reason: PauseReason; readonly detail: string; readonly by: Decider }
  | { readonly command: "resume"; readonly by: Decider; readonly budget?: Budget }
  | { readonly command: "stop"; readonly by: Decider }
  | {
      readonly command: "answer";
      readonly question: QuestionId;
      readonly answer: string;
      readonly by: Decider;
    }
  | { readonly command: "confirm"; readonly question: QuestionId; readonly by: Decider }
  | { readonly command: "deny"; readonly question: QuestionId; readonly reason: string; readonly by: Decider }
  | { readonly command: "retry"; readonly task: TaskId; readonly afresh: boolean; readonly by: Decider }
  | { readonly command: "rollback"; readonly task: TaskId; readonly cascade: boolean; readonly by: Decider }
  | {
      readonly command: "prepare-landing";
      readonly branch: string;
      readonly from: Sha;
      readonly to: Sha;
      /** Of `to`. */
      readonly tree: Sha;
      readonly changeset: string;
      /** A person wishes it although nobody saw it pass. */
      readonly unverified?: true;
      readonly by: Decider;
    }
  | { readonly command: "end-landing"; readonly landed: boolean; readonly reason: string }
  /** Something an agent did that it may not do. */
  | { readonly command: "report"; readonly turn: TurnId; readonly code: string; readonly message: string };

/** What the kernel wants recorded because the state asks for it. */
export type Order =
  | {
      readonly command: "dispatch";
      readonly task: TaskId;
      readonly role: Role;
      readonly agent: string;
      /** The tag of the reply's fence: from chance, so the loop adds it. */
      readonly fenceTag: string;
    }
  /** No slot is given to anybody before the limit is raised. */
  | { readonly command: "hold-for-budget"; readonly detail: string }
  /** Its rest is over. */
  | { readonly command: "return-agent"; readonly agent: string }
  /** Nobody is left for the task: a person is asked. */
  | { readonly command: "hold-for-agent"; readonly task: TaskId }
  /** Whoever was missing is there again, so nobody needs to answer. */
  | { readonly command: "withdraw"; readonly question: QuestionId }
  | { readonly command: "finish" };

/** What came of an effect. */
export type Outcome =
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
      readonly tree?: Sha;
    }
  | {
      readonly command: "turn-ended";
      readonly turn: TurnId;
      readonly ended: TurnEnded;
      readonly spent: Spent;
    }
  | { readonly command: "outside-changed"; readonly turn: TurnId; readonly items: readonly Told[] }
  | { readonly command: "collected"; readonly turn: TurnId; readonly result: Collected }
  | {
      readonly command: "verified";
      readonly work: VerifyKey;
      readonly tree: Sha;
      readonly evidence: EvidenceFacts;
      readonly failure?: string;
      /** A command was ended because it took too long. */
      readonly isLate?: boolean;
    }
  | { readonly command: "merged"; readonly task: TaskId; readonly onto: Sha; readonly result: MergeResult }
  | {
      readonly command: "sealed";
      readonly task: TaskId;
      readonly parent: Sha;
      readonly tree: Sha;
      readonly commit: Sha;
    }
  | {
      readonly command: "reverted";
      readonly task: TaskId;
      readonly onto: Sha;
      readonly result:
        | { readonly kind: "sealed"; readonly tree: Sha; readonly commit: Sha }
        | { readonly kind: "conflict"; readonly paths: readonly string[] };
    }
  /** `found` is where the branch was when it was at neither end. */
  | { readonly command: "advanced"; readonly from: Sha; readonly to: Sha; readonly found?: Sha }
  /** An effect that could not be carried out for a reason outside (git, disk, machine). */
  | {
      readonly command: "effect-failed";
      readonly key: string;
      /** Where it was for one. */
      readonly task?: TaskId;
      readonly problem: Told;
    };

export type TurnEnded =
  | { readonly how: "replied"; readonly replySha256: string; readonly session?: string }
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
      /** Of a limit, where that was told. */
      readonly resetsInMs?: number;
      /** By which a later turn can go on with the conversation. */
      readonly session?: string;
    }
  | { readonly how: "cancelled"; readonly reason: string };

export type Collected =
  | {
      readonly kind: "work";
      readonly tree: Sha;
      readonly files: readonly string[];
      readonly summary: string;
      readonly outputs: readonly string[];
    }
  | { readonly kind: "refused"; readonly problems: readonly Told[] }
  | { readonly kind: "needs-confirmation"; readonly digest: string; readonly items: readonly Told[] }
  | { readonly kind: "question"; readonly text: string; readonly options: readonly string[] }
  | { readonly kind: "incomplete"; readonly reason: string }
  | { readonly kind: "pass"; readonly summary: string }
  | { readonly kind: "fail"; readonly findings: readonly Told[] }
  | { readonly kind: "blocked"; readonly reason: string };

export type MergeResult =
  | { readonly kind: "clean"; readonly tree: Sha; readonly files: readonly string[] }
  | { readonly kind: "conflict"; readonly tree: Sha; readonly paths: readonly string[] };

/** What `admit` answers with: what has happened by it, or why nothing has. */
export type Admitted = readonly Event[] | Refusal;

/** Why a command was not admitted; nothing was recorded. */
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
      readonly by: Decider;
    }
  | {
      readonly refused: "wrong-kind-of-question";
      readonly question: QuestionId;
      readonly wants: "answer" | "confirm";
    }
  /** A transition that does not exist: both ends are named. */
  | {
      readonly refused: "illegal-transition";
      readonly task: TaskId;
      readonly from: string;
      readonly to: string;
    }
  /** The result of an act that nobody waits for any more. */
  | { readonly refused: "stale"; readonly key: string }
  | { readonly refused: "no-evidence"; readonly task: TaskId; readonly tree: Sha }
  | { readonly refused: "not-possible-now"; readonly why: string }
  | { readonly refused: "request-already-handled"; readonly request: string };
