/**
 * What is known of a run when it begins: the plan as its tasks, who is in the crew, what was set. It is kept in the run's
 * first event and never changes, so that a run goes on as it began, whatever becomes of the plan and the configuration.
 */
import type { TaskId } from "../plan/plan.ts";
import type { Budget, Priority } from "../plan/value-readers.ts";
import type { Decider } from "./decider.ts";
import type { Sha } from "./sha.ts";

export interface RunStarted {
  readonly run: string;
  readonly title: string;
  readonly plan_file: string;
  readonly plan_sha256: string;
  readonly config_sha256: string;
  readonly base: Sha;
  readonly base_tree: Sha;
  readonly branch: string;
  readonly by: Decider;
  readonly settings: RunSettings;
  /** Absent in logs of the first versions. */
  readonly agents?: readonly AgentFacts[];
  /** In the order of the plan. */
  readonly tasks: readonly TaskFacts[];
}

export interface AgentFacts {
  readonly name: string;
  /** Driver and model: who judges should be of another kind than who wrote. */
  readonly kind: string;
}

/** What decides how a run goes; each value as it was when the run began. */
export interface RunSettings {
  readonly active_developers: number;
  readonly reply_attempts: number;
  readonly turn_attempts: number;
  readonly audit_attempts: number;
  readonly turn_timeout_ms: number;
  readonly stall_timeout_ms: number;
  /** Of one verify command, or one of the setup; that of a turn where a log says nothing of it. */
  readonly verify_timeout_ms?: number;
  readonly checkpoint_interval_ms: number;
  readonly schedule: "flow" | "levels";
  readonly on_question: "hold-affected" | "hold-all";
  readonly budget: Budget;
  readonly confirm_deletes: "ask" | "declared" | "always-allow" | "never";
  readonly confirm_sensitive: "ask" | "declared" | "never";
  /** Of what people change too, while an agent works that nothing holds; `warn` where a log says nothing of it. */
  readonly on_outside_change?: "warn" | "fail";
  /** Whether the base is verified before the first turn; a log that says nothing of it did not. */
  readonly verify_base?: boolean;
  readonly setup: readonly string[];
  /** Those of the plan as a whole, run once more at the end. */
  readonly verify: readonly string[];
}

export interface TaskFacts {
  readonly task: TaskId;
  /** The id in ASCII, for files and refs. */
  readonly key: string;
  /** `{slug}_{unix seconds}`. */
  readonly task_id: string;
  readonly title: string;
  readonly agent: string;
  /** Nobody where verify commands alone decide. */
  readonly auditor?: string;
  /** Who does it, in this order, where there is more than one: the first is `agent`. The same for `auditor`. */
  readonly agents?: readonly string[];
  readonly auditors?: readonly string[];
  readonly depends_on: readonly TaskId[];
  readonly priority: Priority;
  readonly writes: readonly string[];
  readonly deletes: readonly string[];
  readonly shares: readonly string[];
  readonly verify: readonly string[];
  readonly timeout_ms?: number;
  readonly attempts?: number;
  readonly budget?: Budget;
  /** It was done before the run began. */
  readonly done?: true;
}
