/**
 * What the kernel wants done outside. Each effect has a permanent key: an act repeated after a crash is recognised by
 * it, and an outcome for a key that is no longer wanted is refused.
 */
import type { TaskId } from "../plan/plan.ts";
import type { CommitId, TreeId } from "../std/object-id.ts";
import type { Role, TurnId, VerifyKey } from "./event.ts";

export type Effect =
  /** Run an agent at its desk, with its prompt. */
  | {
      readonly effect: "turn";
      readonly key: string;
      readonly turn: TurnId;
      readonly task: TaskId;
      readonly role: Role;
    }
  /** End a turn that is no longer wanted. */
  | { readonly effect: "end-turn"; readonly key: string; readonly turn: TurnId; readonly reason: string }
  /** Read the reply of a turn that ended, apply it at the desk, and capture the result. */
  | {
      readonly effect: "collect";
      readonly key: string;
      readonly turn: TurnId;
      readonly task: TaskId;
      readonly role: Role;
      /** What a person allowed for this task, as `allowanceKey`s. */
      readonly allowed: readonly string[];
    }
  | {
      readonly effect: "verify";
      readonly key: string;
      readonly work: VerifyKey;
      readonly tree: TreeId;
      readonly commands: readonly string[];
    }
  | {
      readonly effect: "merge";
      readonly key: string;
      readonly task: TaskId;
      readonly base: CommitId;
      readonly tree: TreeId;
      readonly onto: CommitId;
    }
  /** Create the commit object of a task whose merged tree has evidence. */
  | {
      readonly effect: "commit";
      readonly key: string;
      readonly task: TaskId;
      readonly parent: CommitId;
      readonly tree: TreeId;
    }
  /** Create the commit that reverts a task. */
  | {
      readonly effect: "revert";
      readonly key: string;
      readonly task: TaskId;
      readonly commit: CommitId;
      readonly onto: CommitId;
    }
  /** Move the run's branch, which must be at `from`. */
  | { readonly effect: "advance"; readonly key: string; readonly from: CommitId; readonly to: CommitId };
