/**
 * Conversations of agents, where their programs can go on with one: a developer keeps its own through all rounds of a
 * task, an auditor only within one, so that each round is judged by somebody who has not made up its mind.
 */

import { consequenceOf, isUntaken, sessionLost, tooLong } from "./consequence.ts";
import type { Role } from "./event.ts";
import type { OwnTask, OwnTurn, Task } from "./state.ts";

/** The one that this agent's next turn goes on with. */
export function conversationFor(task: Task, role: Role, agent: string): string | undefined {
  const last = task.conversations[role];
  if (last?.agent !== agent) return undefined;
  return role === "developer" || last.attempt === task.attempt ? last.session : undefined;
}

/** Whoever begins another conversation, or takes over from somebody else, ends the one before. */
export function onBegun(task: OwnTask, { role, resumes }: Pick<OwnTurn, "role" | "resumes">): void {
  if (resumes === undefined) delete task.conversations[role];
}

/** `code` of a failure, or why else there is no reply; nothing where there is one. */
export function onOver(
  task: OwnTask,
  { role, agent, attempt, resumes }: OwnTurn,
  { session, code }: { readonly session?: string | undefined; readonly code?: string | undefined },
): void {
  if (code === tooLong || code === sessionLost || (code !== undefined && isUntaken(code)))
    delete task.conversations[role];
  else if (session !== undefined) task.conversations[role] = { agent, session, attempt };
  else if (resumes !== undefined && code !== undefined && !consequenceOf(code).keepsConversation)
    delete task.conversations[role];
}
