/**
 * The settings of one task: its own fields override those of the plan and the configuration, and the command line
 * overrides all, because the person who types it has seen the rest.
 */
import type { PlanTask, Settings } from "../../plan/plan.ts";
import type { Priority } from "../../plan/value-readers.ts";
import { present } from "../../std/present.ts";
import type { EffectiveSettings } from "./effective-settings.ts";

export interface TaskSettings {
  readonly agent?: string;
  readonly auditor?: string;
  readonly workflow?: string;
  readonly mainWorkflow?: string;
  readonly failure?: string;
  readonly escalateTo?: string;
  readonly verify: readonly string[];
  readonly priority: Priority;
  /** Set only for the task, or for all tasks; otherwise the agent's profile or turn-timeout applies. */
  readonly timeoutMs?: number;
  readonly attempts: number;
}

export function taskSettings(task: PlanTask, effective: EffectiveSettings): TaskSettings {
  const own = new Set(task.fields.map(({ key }) => key));
  const one = <K extends keyof Settings & keyof PlanTask>(name: K, key: string = name) => {
    const general = effective[name] as { value: Settings[K]; origin: string } | undefined;
    const isOwn = own.has(key) && general?.origin !== "command line";
    return isOwn ? (task[name] ?? general?.value) : (general?.value ?? task[name]);
  };
  return {
    ...present({
      agent: one("agent"),
      auditor: one("auditor"),
      workflow: one("workflow"),
      mainWorkflow: one("mainWorkflow", "main-workflow"),
      failure: one("failure"),
      escalateTo: one("escalateTo", "escalate-to"),
      timeoutMs: one("timeoutMs", "timeout"),
    }),
    verify: one("verify") ?? [],
    priority: one("priority") ?? effective.priority.value,
    attempts: one("attempts") ?? effective.auditAttempts.value,
  };
}
