/**
 * What is known about a run when it begins: the plan's tasks, the crew, the settings. It is stored in the run's first
 * event and never changes, so a run continues as it began, even if the plan or the configuration is edited.
 */
import type { TaskId } from "../plan/plan.ts";
import type { Budget, Priority } from "../plan/value-readers.ts";
import type { CommitId, TreeId } from "../std/object-id.ts";
import type { DecisionMaker } from "./decision-maker.ts";

export interface RunStarted {
  readonly run: string;
  readonly title: string;
  readonly plan_file: string;
  readonly plan_sha256: string;
  readonly config_sha256: string;
  readonly base: CommitId;
  readonly base_tree: TreeId;
  readonly branch: string;
  readonly by: DecisionMaker;
  readonly settings: RunSettings;
  /** Missing in logs of the first versions. */
  readonly agents?: readonly RecordedAgent[];
  /** In the order of the plan. */
  readonly tasks: readonly RecordedTask[];
}

export interface RecordedAgent {
  readonly name: string;
  /** Driver and model. The auditor should be of another kind than the author. */
  readonly kind: string;
  /** How long one of its turns may take, if its profile says so. The task's own limit takes precedence. */
  readonly timeout_ms?: number;
  /** Driver and credentials: agents of one account meet its limits together. Missing in older logs. */
  readonly account?: string;
}

/** What decides how a run proceeds; each value as it was when the run began. */
export interface RunSettings {
  readonly active_developers: number;
  readonly reply_attempts: number;
  readonly turn_attempts: number;
  readonly audit_attempts: number;
  readonly turn_timeout_ms: number;
  readonly stall_timeout_ms: number;
  /** Limit of one verify or setup command. If a log lacks it, the limit of a turn applies. */
  readonly verify_timeout_ms?: number;
  readonly checkpoint_interval_ms: number;
  readonly schedule: "flow" | "levels";
  readonly on_question: "hold-affected" | "hold-all";
  readonly budget: Budget;
  readonly confirm_deletes: "ask" | "declared" | "always-allow" | "never";
  readonly confirm_sensitive: "ask" | "declared" | "never";
  /** For changes to what people change too, while an agent works unconfined; `warn` if a log lacks it. */
  readonly on_outside_change?: "warn" | "fail";
  /** Whether the base is verified before the first turn; `false` if a log lacks it. */
  readonly verify_base?: boolean;
  /** Paths outside the desk that agents and verify commands may write to; none if a log lacks it. */
  readonly also_writable?: readonly string[];
  readonly setup: readonly string[];
  /** The verify commands of the plan as a whole, run once more at the end. */
  readonly verify: readonly string[];
}

export interface RecordedTask {
  readonly task: TaskId;
  /** The id in ASCII, for files and refs. */
  readonly key: string;
  /** `{slug}_{unix seconds}`. */
  readonly task_id: string;
  readonly title: string;
  readonly agent: string;
  /** Missing if verify commands alone decide. */
  readonly auditor?: string;
  /** The fallback order, if there is more than one agent; the first is `agent`. Likewise for `auditor`. */
  readonly agents?: readonly string[];
  readonly auditors?: readonly string[];
  readonly depends_on: readonly TaskId[];
  readonly priority: Priority;
  readonly writes: readonly string[];
  readonly deletes: readonly string[];
  readonly shares: readonly string[];
  readonly verify: readonly string[];
  /** Set if the task has a limit of its own; logs of earlier versions have the limit of all turns here. */
  readonly timeout_ms?: number;
  readonly attempts?: number;
  readonly budget?: Budget;
  /** The task was done before the run began. */
  readonly done?: true;
}
