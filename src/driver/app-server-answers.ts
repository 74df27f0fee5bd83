/**
 * What Codex's app server is answered when it asks: no, in the words of each question. An edit that is declined is noted
 * and its turn goes on; so it does after a command that is.
 */
import type { ClientEvent } from "./agent-client.ts";

/** Nothing for what we do not know. */
export function appServerAnswer(method: string): object | undefined {
  return answers.get(method);
}

export const editQuestion = "item/fileChange/requestApproval";

const answers: ReadonlyMap<string, object> = new Map(
  Object.entries({
    [editQuestion]: { decision: "decline" },
    "item/commandExecution/requestApproval": { decision: "decline" },
    "item/permissions/requestApproval": { permissions: {}, scope: "turn" },
    "item/tool/requestUserInput": { answers: {} },
    "mcpServer/elicitation/request": { action: "decline", content: null, _meta: null },
    // As older versions ask.
    applyPatchApproval: { decision: "denied" },
    execCommandApproval: { decision: "denied" },
  }),
);

/** What was refused, in words; nothing where it is an edit, which is noted instead. */
export function refusedWords(method: string, { command, reason }: ClientEvent): string | undefined {
  if (method === editQuestion || !answers.has(method)) return undefined;
  const what = typeof command === "string" ? command : reason;
  return `was refused: ${typeof what === "string" && what !== "" ? what : method}`;
}
