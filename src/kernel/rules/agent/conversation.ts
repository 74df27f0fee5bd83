/**
 * Conversations of agents whose programs can resume one. A developer keeps its conversation through all rounds of a
 * task, an auditor only within one round, so that each round is judged with a fresh mind.
 */

import type { Role } from "../../event.ts";
import type { MutableTask, MutableTurn, Task } from "../../state.ts";
import { consequenceOf, isNotTheTasksFault, sessionLostCode, tooLong } from "./consequence.ts";

/** The conversation that this agent's next turn resumes. */
export function conversationFor(task: Task, role: Role, agent: string): string | undefined {
  const last = task.conversations[role];
  if (last?.agent !== agent) return undefined;
  return role === "developer" || last.attempt === task.attempt ? last.session : undefined;
}

/** A turn that begins a new conversation, or takes over from another agent, ends the previous conversation. */
export function onBegun(task: MutableTask, { role, resumes }: Pick<MutableTurn, "role" | "resumes">): void {
  if (resumes === undefined) delete task.conversations[role];
}

/**
 * `code` says why there is no reply: a failure's code or the time limit that was hit. Undefined if there is a reply.
 */
export function onOver(
  task: MutableTask,
  { role, agent, attempt, resumes }: MutableTurn,
  { session, code }: { readonly session?: string | undefined; readonly code?: string | undefined },
): void {
  if (code === tooLong || code === sessionLostCode || (code !== undefined && isNotTheTasksFault(code)))
    delete task.conversations[role];
  else if (session !== undefined) task.conversations[role] = { agent, session, attempt };
  else if (resumes !== undefined && code !== undefined && !consequenceOf(code).keepsConversation)
    delete task.conversations[role];
}
