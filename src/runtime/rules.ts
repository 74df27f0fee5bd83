/** What the policy holds a task's changes to: what the plan says of it, and what it says of all. */
import type { Rules } from "../change/policy.ts";
import type { State, Task } from "../kernel/state.ts";

export function rulesOf(state: State, { facts }: Task): Rules {
  return {
    deletes: state.run?.settings.confirm_deletes ?? "ask",
    declaredDeletes: facts.deletes,
    ...(facts.writes.length > 0 ? { writes: [...facts.writes, ...facts.deletes] } : {}),
  };
}
