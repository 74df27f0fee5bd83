/** The outcome of completing a task, in a sentence. */
import type { CompletedTask } from "../complete-task.ts";

export function completionMessage({ task, wasCompleted }: CompletedTask): string {
  const { document, verified, completed, by } = task;
  if (wasCompleted) {
    const when = completed === undefined ? "" : ` (${completed}${by === undefined ? "" : ` by ${by}`})`;
    return `${document} was completed before${when}; nothing was changed.`;
  }
  return `${document} is completed, ${verified ? "and its Verify commands passed" : "as a claim: it has no Verify command"}.`;
}
