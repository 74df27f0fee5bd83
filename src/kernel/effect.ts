/**
 * What the kernel wants done outside. Each has a key that names the act for good: an act that is repeated after a crash
 * is recognised by it, and an outcome that comes for a key nobody waits for any more is refused.
 */
import type { TaskId } from "../plan/plan.ts";
import type { Role, TurnId, VerifyKey } from "./event.ts";
import type { Sha } from "./sha.ts";

export type Effect =
  /** Run an agent: at its desk, with its prompt. */
  | {
      readonly effect: "turn";
      readonly key: string;
      readonly turn: TurnId;
      readonly task: TaskId;
      readonly role: Role;
    }
  /** End a turn that nobody wants any more. */
  | { readonly effect: "end-turn"; readonly key: string; readonly turn: TurnId; readonly reason: string }
  /** Read what an ended turn replied, carry it out at the desk, capture what is there. */
  | {
      readonly effect: "collect";
      readonly key: string;
      readonly turn: TurnId;
      readonly task: TaskId;
      readonly role: Role;
      /** What a person allowed for this task: `allowanceKey`. */
      readonly allowed: readonly string[];
    }
  | {
      readonly effect: "verify";
      readonly key: string;
      readonly work: VerifyKey;
      readonly tree: Sha;
      readonly commands: readonly string[];
    }
  | {
      readonly effect: "merge";
      readonly key: string;
      readonly task: TaskId;
      readonly base: Sha;
      readonly tree: Sha;
      readonly onto: Sha;
    }
  /** Make the commit object of a task whose merged tree has its evidence. */
  | {
      readonly effect: "seal";
      readonly key: string;
      readonly task: TaskId;
      readonly parent: Sha;
      readonly tree: Sha;
    }
  /** Make the commit that takes a task back. */
  | {
      readonly effect: "revert";
      readonly key: string;
      readonly task: TaskId;
      readonly commit: Sha;
      readonly onto: Sha;
    }
  /** Move the run's branch, from where it must be. */
  | { readonly effect: "advance"; readonly key: string; readonly from: Sha; readonly to: Sha };
