/** What a person wants to know of a task first: does it need me, is it being worked on, is it done? */
import type { Phase, State } from "../kernel/state.ts";
import { unreachable } from "../std/assert.ts";
import type { DeepReadonly } from "../std/deep-readonly.ts";

export type Group = "needs_you" | "working" | "waiting" | "done" | "failed";

export function groupOf({ name }: Pick<DeepReadonly<Phase>, "name">): Group {
  switch (name) {
    case "held":
      return "needs_you";
    case "working":
    case "auditing":
    case "integrating":
    case "reverting":
      return "working";
    case "waiting":
    case "ready":
      return "waiting";
    case "verified":
      return "done";
    case "failed":
      return "failed";
    default:
      return unreachable(name);
  }
}

/** How many tasks are in each group, without looking at any of them. */
export function groupCounts({ index }: Pick<State, "index">): Record<Group, number> {
  const counts = { needs_you: 0, working: 0, waiting: 0, done: 0, failed: 0 };
  for (const [name, count] of Object.entries(index.counts)) {
    counts[groupOf({ name: name as Phase["name"] })] += count;
  }
  return counts;
}
