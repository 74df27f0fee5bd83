/** What a person wants to know about a task first: does it need me, is it under way, is it done? */
import type { Phase, State, Task } from "../../kernel/state.ts";
import type { TaskId } from "../../plan/plan.ts";
import { unreachable } from "../../std/assert.ts";

export type Group = "needs_you" | "working" | "waiting" | "done" | "failed";

/** A task with an open question needs you, whether it is held for it or has failed. */
export function groupOf({ index }: Pick<State, "index">, { phase }: Pick<Task, "phase">): Group {
  const isAsked =
    phase.name === "failed" && phase.question !== undefined && index.openQuestions.has(phase.question);
  return isAsked ? "needs_you" : groupOfPhase(phase.name);
}

function groupOfPhase(name: Phase["name"]): Group {
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
    case "done":
      return "done";
    case "failed":
      return "failed";
    default:
      return unreachable(name);
  }
}

/** How many tasks are in each group, looking only at tasks with open questions. */
export function groupCounts({
  index,
  questions,
  tasks,
}: Pick<State, "index" | "questions" | "tasks">): Record<Group, number> {
  const counts = { needs_you: 0, working: 0, waiting: 0, done: 0, failed: 0 };
  for (const [name, count] of Object.entries(index.counts))
    counts[groupOfPhase(name as Phase["name"])] += count;
  for (const id of index.openQuestions) {
    const task = tasks.get(questions.get(id)?.task ?? ("" as TaskId));
    if (task?.phase.name !== "failed" || groupOf({ index }, task) !== "needs_you") continue;
    counts.needs_you += 1;
    counts.failed -= 1;
  }
  return counts;
}
