/**
 * Which role may give which signal, in one table. Any other signal makes the reply unclear, and the agent is asked
 * again. `Checkpoint` is open to every role and not listed.
 */
import type { SignalName } from "./signal.ts";

export type SignalRole = "developer" | "auditor";

interface RoleSignals {
  readonly allowed: readonly SignalName[];
  /** The signals that prompts and schemas name. The others are put to the user, because nothing acts on them yet. */
  readonly offered: readonly SignalName[];
}

export const roleSignals: Readonly<Record<SignalRole, RoleSignals>> = {
  developer: {
    allowed: [
      "READY FOR AUDIT",
      "TASK INCOMPLETE",
      "INFRA BLOCKED",
      "SEEKING DIVINE CLARIFICATION",
      "DELEGATION REQUEST",
    ],
    offered: ["READY FOR AUDIT", "TASK INCOMPLETE", "INFRA BLOCKED", "SEEKING DIVINE CLARIFICATION"],
  },
  auditor: {
    allowed: [
      "AUDIT PASSED",
      "AUDIT FAILED",
      "AUDIT BLOCKED",
      "SEEKING DIVINE CLARIFICATION",
      "ROLLBACK REQUIRED",
    ],
    offered: ["AUDIT PASSED", "AUDIT FAILED", "AUDIT BLOCKED", "SEEKING DIVINE CLARIFICATION"],
  },
};
