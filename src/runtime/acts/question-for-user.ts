/**
 * What a reply leaves to the user, as one question of its task. What an answer has already settled is left out, so the
 * same words are not asked twice.
 */
import type { ReplyOutcome } from "../../kernel/command.ts";
import type { Task } from "../../kernel/state.ts";
import { type ItemsForUser, putToUser } from "../../reply/note/put-to-user.ts";
import type { Reply } from "../../reply/reply.ts";
import { sha256 } from "../../world/files/hash.ts";

export type UserQuestionOutcome = Extract<ReplyOutcome, { kind: "question" }>;

/** Undefined if nothing is left to the user. */
export function questionForUser({ settled }: Task, items: ItemsForUser): UserQuestionOutcome | undefined {
  const put = putToUser(items, (key) => settled.includes(settledKey(key)));
  if (!put) return undefined;
  const { text, options, keys } = put;
  return {
    kind: "question",
    text,
    options: [...options],
    ...(keys.length > 0 && { settles: keys.map(settledKey) }),
  };
}

/** What a developer's reply leaves to the user. */
export function itemsForUser({ signal, notes, delegations }: Reply): ItemsForUser {
  switch (signal?.name) {
    case "SEEKING DIVINE CLARIFICATION":
      return { notes, delegations, question: signal.question };
    case "DELEGATION REQUEST":
      return { notes, delegations, delegationRequest: signal.text };
    case "TASK INCOMPLETE":
    case "INFRA BLOCKED":
      return { notes, delegations, status: `${signal.name}: ${signal.text}` };
    default:
      return { notes, delegations };
  }
}

/** Hashed to a fixed length, because it is stored in the log. */
function settledKey(key: string): string {
  return sha256(key).slice(0, 32);
}
