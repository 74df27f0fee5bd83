/**
 * A phase in the words of the first coordinators: `status` as in the agents' shared status, `progress` as the state file
 * has it for a task under way, and `phase` as `--json` has always printed it. These words are produced only here.
 */
import type { Phase } from "../../kernel/state.ts";
import { unreachable } from "../../std/assert.ts";
import type { DeepReadonly } from "../../std/deep-readonly.ts";

export type Status =
  | "pending"
  | "working"
  | "completion_drive_review"
  | "blocked"
  | "ready_for_verification"
  | "verified"
  | "failed";

export type PhaseWord = Exclude<Phase["name"], "done"> | "verified";

export type ProgressWord = "implementing" | "awaiting-audit" | "awaiting-divine-guidance";

/** A task is `verified` only after it is integrated; work that does not fit the branch goes back to `working`. */
export function statusOf({ name }: Pick<DeepReadonly<Phase>, "name">): Status {
  switch (name) {
    case "waiting":
    case "ready":
      return "pending";
    case "working":
      return "working";
    case "auditing":
    case "integrating":
      return "ready_for_verification";
    case "held":
      return "blocked";
    case "failed":
      return "failed";
    // A task that is being rolled back stays verified until the branch has moved.
    case "done":
    case "reverting":
      return "verified";
    default:
      return unreachable(name);
  }
}

/** Programs read this word: a finished task stays `verified` for them. */
export function phaseWord({ name }: Pick<DeepReadonly<Phase>, "name">): PhaseWord {
  return name === "done" ? "verified" : name;
}

/** Undefined for a task that is not under way. */
export function progressOf(phase: Pick<DeepReadonly<Phase>, "name">): ProgressWord | undefined {
  return progressOfStatus[statusOf(phase)];
}

const progressOfStatus: Readonly<Record<Status, ProgressWord | undefined>> = {
  pending: undefined,
  working: "implementing",
  completion_drive_review: "implementing",
  blocked: "awaiting-divine-guidance",
  ready_for_verification: "awaiting-audit",
  verified: undefined,
  failed: undefined,
};
