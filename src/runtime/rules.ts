/** What the policy holds a task's changes to: what the plan says of it, and what it says of all. */
import type { Rules } from "../change/policy.ts";
import type { State, Task } from "../kernel/state.ts";

export function rulesOf(state: State, { facts }: Task): Rules {
  return {
    deletes: state.run?.settings.confirm_deletes ?? "ask",
    declaredDeletes: facts.deletes,
    ...(facts.writes.length > 0 ? { writes: [...facts.writes, ...facts.deletes] } : {}),
    verify: judgingCommands(state),
  };
}

/** Of all tasks: one must not weaken what another is judged by. They never change, so they are gathered once a run. */
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
