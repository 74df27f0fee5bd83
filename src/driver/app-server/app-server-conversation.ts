/**
 * One turn over an open connection to Codex's app server: handshake, thread, turn, and the event that ends it. Every
 * step before the turn has a timeout; the caller decides how long the turn may take.
 *
 * The sandbox is read-only, so that Codex has to ask for every change that its model wants to make.
 */

import type { TurnRequest } from "../driver.ts";
import type { ClientEvent, Trouble } from "../programs/agent-client.ts";
import { recordField, textField } from "../programs/event-fields.ts";
import { RpcFailure, type RpcTalk } from "../rpc-talk.ts";
import { sessionParts } from "../session.ts";

export interface AppServerConversation {
  readonly talk: RpcTalk;
  readonly turn: Pick<TurnRequest, "desk" | "prompt" | "resume" | "settings">;
  /** The thread is open: its events from now on belong to this turn. */
  onThread(thread: string): void;
  onTurn(turn: ClientEvent): void;
}

/** How the turn went, as far as the protocol says; `closed`: the program was gone before the end. */
export type AppServerTalk =
  | { readonly talk: "ended"; readonly turn: ClientEvent }
  | { readonly talk: "trouble"; readonly trouble: Trouble }
  /** It does not know the method or value that we sent. */
  | { readonly talk: "foreign"; readonly said: string }
  | { readonly talk: "closed" };

/** Never rejects. */
export async function converseWithAppServer(conversation: AppServerConversation): Promise<AppServerTalk> {
  try {
    return { talk: "ended", turn: await talkWith(conversation) };
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    const { why, message } = error;
    if (why === "closed") return { talk: "closed" };
    if (why === "refused" && foreign.test(message)) return { talk: "foreign", said: message };
    return { talk: "trouble", trouble: { message, ...(why === "late" && { code: "AGENT_PROTOCOL" }) } };
  }
}

async function talkWith({ talk, turn, ...conversation }: AppServerConversation): Promise<ClientEvent> {
  await talk.ask("initialize", {
    clientInfo: { name: "coxswain", title: "Coxswain", version: "1" },
    capabilities: { experimentalApi: false, requestAttestation: false, optOutNotificationMethods: pieces },
  });
  talk.tell("initialized");
  const { model } = turn.settings;
  const place = {
    cwd: turn.desk,
    sandbox: "read-only",
    approvalPolicy: "on-request",
    // And not one of its own models, which the user's settings may choose.
    approvalsReviewer: "user",
    ...(model !== undefined && { model }),
  };
  const { thread } =
    turn.resume === undefined
      ? await talk.ask("thread/start", place)
      : await talk.ask("thread/resume", {
          threadId: sessionParts(turn.resume).id,
          excludeTurns: true,
          ...place,
        });
  const threadId = textField(recordField(thread).id);
  if (threadId === undefined) throw new RpcFailure("refused", "it opened a thread without naming it");
  conversation.onThread(threadId);
  const over = talk.notification("turn/completed", (params) => params.threadId === threadId);
  const input = [{ type: "text", text: turn.prompt }];
  const started = await talk.ask("turn/start", { threadId, input });
  conversation.onTurn(recordField(started.turn));
  return recordField((await over).turn);
}

/**
 * Events sent in pieces and then again as a whole. A piece of a few letters takes a message of hundreds, and an hour of
 * them would exceed what a turn may print.
 */
const pieces: readonly string[] = [
  "item/agentMessage/delta",
  "item/plan/delta",
  "item/reasoning/textDelta",
  "item/reasoning/summaryTextDelta",
  "item/commandExecution/outputDelta",
  "item/fileChange/outputDelta",
  "turn/diff/updated",
];

/** What versions say that do not know a method or a value of ours. */
const foreign = /unknown (variant|method|field)|method not found|missing field/i;
