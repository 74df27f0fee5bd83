/**
 * A phase in the words of the first coordinators: `status` as the agents' shared status has it, `progress` as the
 * state file has it of a task that is under way. These words are made here and nowhere else.
 */
import type { Phase } from "../kernel/state.ts";
import { unreachable } from "../std/assert.ts";
import type { DeepReadonly } from "../std/deep-readonly.ts";

export type Status =
  | "pending"
  | "working"
  | "completion_drive_review"
  | "blocked"
  | "ready_for_verification"
  | "verified"
  | "failed";

export type Progress = "implementing" | "awaiting-audit" | "awaiting-divine-guidance";

/** Nothing is `verified` before it is integrated, and what does not fit the branch goes back to `working`. */
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
    // What is being taken back is there until the branch has moved.
    case "verified":
    case "reverting":
      return "verified";
    default:
      return unreachable(name);
  }
}

/** Nothing for a task that is not under way. */
export function progressOf(phase: Pick<DeepReadonly<Phase>, "name">): Progress | undefined {
  return progressOfStatus[statusOf(phase)];
}

const progressOfStatus: Readonly<Record<Status, Progress | undefined>> = {
  pending: undefined,
  working: "implementing",
  completion_drive_review: "implementing",
  blocked: "awaiting-divine-guidance",
  ready_for_verification: "awaiting-audit",
  verified: undefined,
  failed: undefined,
};
