/**
 * One prompt to an agent over an open connection: handshake, session, prompt, answer. Every step of the handshake has a
 * timeout, since some agents never answer; the caller decides how long the prompt may take.
 *
 * Only this file loads the protocol's package, and it is itself loaded with the first turn that needs it.
 */
import {
  type AnyMessage,
  type ClientContext,
  client,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type Stream,
} from "@agentclientprotocol/sdk";
import type { RunClock } from "../../world/time/run-clock.ts";
import type { FailureCode, TurnRequest } from "../driver.ts";
import type { ClientEvent, Trouble } from "../programs/agent-client.ts";
import { listField, recordField, textField, wordField } from "../programs/event-fields.ts";
import type { AcpManner } from "./acp-quirks.ts";

export interface AcpConversation {
  readonly stream: Stream;
  readonly turn: Pick<TurnRequest, "desk" | "prompt" | "resume" | "server" | "settings">;
  readonly manner: AcpManner;
  readonly handshakeMs: number;
  readonly after: RunClock["after"];
  /** The session is open and the prompt is being sent: updates from now on belong to this turn. */
  onPrompt(session: string, cancel: () => void): void;
  /** Answers whether the agent may do something. */
  onPermission(request: ClientEvent): object;
}

/** How the conversation went, as far as the protocol says; `closed`: the agent was gone before it answered. */
export type Talk =
  | { readonly talk: "answered"; readonly answer: ClientEvent }
  | { readonly talk: "trouble"; readonly trouble: Trouble }
  | { readonly talk: "closed" };

/** Never rejects. */
export async function converseOverAcp(conversation: AcpConversation): Promise<Talk> {
  const connection = client({ name: "coxswain" })
    .onRequest("*", ({ method, params }) => {
      if (method !== methods.client.session.requestPermission) throw RequestError.methodNotFound(method);
      return conversation.onPermission(recordField(params));
    })
    .connect(conversation.stream);
  try {
    return { talk: "answered", answer: await talkWith(connection.agent, conversation) };
  } catch (error) {
    if (connection.signal.aborted) return { talk: "closed" };
    return { talk: "trouble", trouble: troubleOf(error) };
  } finally {
    connection.close();
  }
}

async function talkWith(agent: ClientContext, conversation: AcpConversation): Promise<ClientEvent> {
  const { turn, onPrompt } = conversation;
  const session = await openSession(agent, conversation);
  onPrompt(session, () => {
    agent.notify(methods.agent.session.cancel, { sessionId: session }).catch(() => {});
  });
  const prompt = [{ type: "text" as const, text: turn.prompt }];
  return recordField(await agent.request(methods.agent.session.prompt, { sessionId: session, prompt }));
}

async function openSession(agent: ClientContext, conversation: AcpConversation): Promise<string> {
  const { turn, manner } = conversation;
  const steps = new Steps(agent, conversation);
  const hello = await steps.ask(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    // An agent writes at its desk itself, so that the sandbox can confine it.
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: "coxswain", version: "1" },
  });
  if (hello.protocolVersion !== PROTOCOL_VERSION)
    throw protocolTrouble(
      `it speaks version ${wordField(hello.protocolVersion)} of the protocol, not ${PROTOCOL_VERSION}`,
    );
  const place = {
    cwd: turn.desk,
    mcpServers: serversOf(turn),
    ...(manner.meta && { _meta: manner.meta }),
  };
  const opened =
    turn.resume === undefined
      ? await steps.ask(methods.agent.session.new, place)
      : await goOn({ steps, hello, request: { sessionId: turn.resume, ...place }, conversation }).catch(lost);
  const sessionId = turn.resume ?? textField(opened.sessionId);
  if (sessionId === undefined) throw protocolTrouble("it opened a session without naming it");
  if (manner.mode !== undefined)
    await steps.ask(methods.agent.session.setMode, { sessionId, modeId: manner.mode });
  await chooseModel({ steps, opened, sessionId, model: turn.settings.model });
  return sessionId;
}

interface GoingOn {
  readonly steps: Steps;
  readonly hello: ClientEvent;
  readonly request: object;
  readonly conversation: AcpConversation;
}

/**
 * Resuming is loading without replaying the conversation. An agent that can only load may answer while it is still
 * replaying.
 */
async function goOn({ steps, hello, request, conversation }: GoingOn): Promise<ClientEvent> {
  const { sessionCapabilities } = recordField(hello.agentCapabilities);
  if (typeof recordField(sessionCapabilities).resume === "object")
    return steps.ask(methods.agent.session.resume, request);
  const loaded = await steps.ask(methods.agent.session.load, request);
  await new Promise<void>((resolve) => conversation.after(replayMs, resolve));
  return loaded;
}

const replayMs = 1_000;

/** An agent that refuses to resume does not know the conversation, unless it gives another reason. */
function lost(error: unknown): never {
  const { message, code, status } = troubleOf(error);
  throw code === undefined && status === undefined ? new StepTrouble("AGENT_SESSION_LOST", message) : error;
}

interface ModelChoice {
  readonly steps: Steps;
  readonly opened: ClientEvent;
  readonly sessionId: string;
  readonly model: string | undefined;
}

/** Uses the newer method if it is offered, otherwise the older one. */
async function chooseModel({ steps, opened, sessionId, model }: ModelChoice): Promise<void> {
  if (model === undefined) return;
  const option = listField(opened.configOptions)
    .map(recordField)
    .find(({ category, id }) => (category ?? id) === "model");
  if (option !== undefined)
    await steps.ask(methods.agent.session.setConfigOption, { sessionId, configId: option.id, value: model });
  else if (typeof opened.models === "object" && opened.models !== null)
    await steps.ask("session/set_model", { sessionId, modelId: model });
  else throw protocolTrouble("it offers no choice of models: write the model into its command or args");
}

function serversOf({ server }: AcpConversation["turn"]) {
  if (server === undefined) return [];
  const [command, ...args] = server.command;
  const env = Object.entries(server.environment).map(([name, value]) => ({ name, value }));
  return [{ name: server.name, command, args, env }];
}

/** Sends requests, each with a timeout. */
class Steps {
  constructor(
    private readonly agent: ClientContext,
    private readonly limits: Pick<AcpConversation, "after" | "handshakeMs">,
  ) {}

  async ask(method: string, params: object): Promise<ClientEvent> {
    const { after, handshakeMs } = this.limits;
    let takeBack = () => {};
    const late = new Promise<never>((_, reject) => {
      const words = `it did not answer ${method} within ${handshakeMs / 1000} s`;
      takeBack = after(handshakeMs, () => reject(protocolTrouble(words)));
    });
    try {
      return recordField(await Promise.race([this.agent.request<unknown>(method, params), late]));
    } finally {
      takeBack();
    }
  }
}

class StepTrouble extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
  ) {
    super(message);
  }
}

function protocolTrouble(message: string): StepTrouble {
  return new StepTrouble("AGENT_PROTOCOL", message);
}

/** Decided by the protocol's own error code, or an HTTP status that some send in its place, or the message. */
function troubleOf(error: unknown): Trouble {
  if (error instanceof StepTrouble) return { message: error.message, code: error.code };
  if (!(error instanceof RequestError)) return { message: String(error), code: "AGENT_PROTOCOL" };
  const { code, message, data } = error;
  const details = textField(recordField(data).details) ?? textField(recordField(data).message);
  return {
    message: details === undefined ? message : `${message}: ${details}`,
    ...(code === authenticationRequired && { code: "AGENT_NOT_SIGNED_IN" }),
    ...(code >= 400 && code < 600 && { status: code }),
  };
}

const authenticationRequired = -32_000;

export type { AnyMessage };
