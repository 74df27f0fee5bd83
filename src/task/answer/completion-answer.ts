/** The outcome of completing a task: as data with fixed keys, and in a sentence. */

import type { CompletedCurrent } from "../coordinator/complete-coordinator-task.ts";
import type { CompletedTask } from "../work/complete-task.ts";

/** A coordinator's task also says what comes after it. */
export function completionData({
  task,
  next,
  waiting,
  archivedTo,
}: CompletedTask & Partial<CompletedCurrent>) {
  return {
    task,
    verified: task.verified === true,
    ...(next && { next_task: next.task }),
    ...(waiting && { waiting }),
    archived: archivedTo !== undefined,
    ...(archivedTo !== undefined && { archived_to: archivedTo }),
  };
}

export function completionMessage({ task, wasCompleted }: CompletedTask): string {
  const { document, verified, completed, by } = task;
  if (wasCompleted) {
    const when = completed === undefined ? "" : ` (${completed}${by === undefined ? "" : ` by ${by}`})`;
    return `${document} was completed before${when}; nothing was changed.`;
  }
  return `${document} is completed, ${verified ? "and its Verify commands passed" : "as a claim: it has no Verify command"}.`;
}
