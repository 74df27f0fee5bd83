/** The policy rules for a task's changes: the task's own and those of the whole run. */
import type { PolicyRules } from "../../change/policy/policy.ts";
import type { State, Task } from "../../kernel/state.ts";

export function rulesOf(state: State, { facts }: Task): PolicyRules {
  return {
    deletes: state.run?.settings.confirm_deletes ?? "ask",
    declaredDeletes: facts.deletes,
    sensitive: state.run?.settings.confirm_sensitive === "never" ? "never" : "ask",
    ...(facts.writes.length > 0 ? { writes: [...facts.writes, ...facts.deletes] } : {}),
    verify: judgingCommands(state),
  };
}

/**
 * The commands of all tasks, because one task must not weaken what another is judged by. They never change, so they are
 * gathered once per run.
 */
function judgingCommands({ run, tasks }: State): readonly string[] {
  if (!run) return [];
  const known = gathered.get(run);
  if (known) return known;
  const commands = new Set([...run.settings.setup, ...run.settings.verify]);
  for (const { facts } of tasks.values()) for (const command of facts.verify) commands.add(command);
  const all = [...commands];
  gathered.set(run, all);
  return all;
}

const gathered = new WeakMap<NonNullable<State["run"]>, readonly string[]>();
