/**
 * Our answers to the questions of Codex's app server: always no, in the form that each question expects. A declined
 * edit is recorded and the turn continues; it also continues after a declined command.
 */
import type { ClientEvent } from "../programs/agent-client.ts";

/** `undefined` for a question that we do not know. */
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
    // The questions of older versions.
    applyPatchApproval: { decision: "denied" },
    execCommandApproval: { decision: "denied" },
  }),
);

/** What was refused, in words; `undefined` for an edit, which is recorded instead. */
export function refusedWords(method: string, { command, reason }: ClientEvent): string | undefined {
  if (method === editQuestion || !answers.has(method)) return undefined;
  const what = typeof command === "string" ? command : reason;
  return `was refused: ${typeof what === "string" && what !== "" ? what : method}`;
}
