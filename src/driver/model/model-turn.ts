/**
 * One turn of a model over HTTP: asks it, runs the tools it calls, and asks again with their answers, until it submits
 * its reply or has nothing more to say. Loaded when a turn begins, together with the packages that talk to the servers.
 */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  jsonSchema,
  type LanguageModel,
  type LanguageModelUsage,
  stepCountIs,
  streamText,
  type TextStreamPart,
  type ToolSet,
  tool,
} from "ai";
import { Proposals } from "../../reply/proposals.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import type { TurnObserver, TurnOutcome, TurnRequest, Usage } from "../driver.ts";
import { outputCaps } from "../output/caps.ts";
import { TurnOutput } from "../output/turn-output.ts";
import { ClientTurnState } from "../programs/client-turn-state.ts";
import { recordField } from "../programs/event-fields.ts";
import { DeskLook } from "./desk-look.ts";
import type { ModelAccess, ModelWorld } from "./model-access.ts";
import {
  type IncompleteReason,
  modelFailure,
  refusesTools,
  shortcomingFailure,
  troubleOf,
} from "./model-failure.ts";
import { guardedFetch } from "./model-fetch.ts";
import { modelTools } from "./model-tools.ts";
import { usageOfModels } from "./model-usage.ts";
import { deskWords, toolsWords, toolWords } from "./model-words.ts";
import { untilAborted } from "./until-aborted.ts";

export interface ModelTurn {
  readonly turn: TurnRequest;
  readonly access: ModelAccess;
  readonly world: ModelWorld;
  readonly observer: TurnObserver | undefined;
  readonly cancelled: AbortSignal;
}

// Otherwise the package prints warnings about a model's settings on our terminal.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** Never rejects. */
export async function playTurn(ports: ModelTurn): Promise<TurnOutcome> {
  const conversation = new Conversation(ports);
  const { cancelled } = ports;
  try {
    await conversation.play();
  } catch (error) {
    conversation.fail(error);
  }
  return conversation.outcome(cancelled.aborted);
}

/** Each step is one request. A task that needs more is too large for a bare model. */
const stepsMax = 50;
/** The output limit for one answer, for servers that require one: none of our replies is longer. */
const outputTokensMax = 32_000;
/** Twice what we keep: a model that says this much never finishes. */
const charactersMax = 2 * outputCaps.keepBytes;

type ModelAnswerEnd =
  | { readonly finished: string; readonly raw: string | undefined }
  | { readonly error: unknown };

class Conversation {
  readonly #means: ModelTurn;
  readonly #desk: DeskLook;
  readonly #proposals: Proposals;
  readonly #output: TurnOutput;
  readonly #turnState: ClientTurnState;
  /** Aborted by us: the turn was cancelled, or the model says too much. */
  readonly #stopping = new AbortController();
  #used = { model: "", inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };
  /** False once the model has turned out not to support tools. */
  #hasTools = true;
  #steps = 0;
  #characters = 0;
  #ending: ModelAnswerEnd | undefined;

  constructor(ports: ModelTurn) {
    const { turn, world, observer, cancelled } = ports;
    this.#means = ports;
    this.#desk = new DeskLook(world.files, turn.desk);
    this.#proposals = new Proposals({
      role: turn.role,
      task: turn.task,
      desk: false,
      isWorkAtDesk: turn.isWorkAtDesk === true,
      judge: (operations) => this.#desk.misfits(operations),
    });
    const { key, model } = ports.access;
    this.#output = new TurnOutput(observer, key === undefined ? {} : { [key.name]: key.value });
    this.#output.recorder.record("event", JSON.stringify({ type: "asked", model }));
    this.#turnState = new ClientTurnState(this.#output, observer);
    if (cancelled.aborted) this.#stopping.abort();
    else cancelled.addEventListener("abort", () => this.#stopping.abort(), { once: true });
  }

  async play(): Promise<void> {
    const { turn } = this.#means;
    await this.#ask({ system: toolsWords(turn.role), tools: this.#tools() });
    const ending = this.#ending;
    if (ending === undefined || !("error" in ending) || !refusesTools(troubleOf(ending.error))) return;
    this.#ending = undefined;
    this.#hasTools = false;
    this.#output.monitor.act("continuing without tools, which its model does not know");
    await this.#ask({ system: deskWords(this.#desk, turn.prompt) });
  }

  fail(error: unknown): void {
    this.#ending = { error };
  }

  outcome(wasCancelled: boolean): TurnOutcome {
    this.#turnState.end();
    this.#output.end();
    const ended = wasCancelled ? ({ kind: "cancelled" } as const) : this.#ended();
    const last = this.#turnState.lastMessage;
    const { fence } = this.#means.turn;
    const reply =
      ended.kind === "replied" ? (this.#proposals.replyText(fence, last) ?? last) : this.#turnState.messages;
    return {
      ended,
      reply: encodeUtf8(reply).subarray(0, outputCaps.keepBytes),
      lastLine: this.#output.lastLine,
      ...(this.#turnState.usage && { usage: this.#turnState.usage }),
      ...(this.#hasTools && { toolUses: this.#turnState.toolUses }),
      misconduct: [],
    };
  }

  async #ask({ system, tools }: { system: string; tools?: ToolSet }): Promise<void> {
    const { turn, access, world } = this.#means;
    const { fullStream } = streamText({
      model: languageModel(access, guardedFetch(world)),
      system,
      prompt: turn.prompt,
      ...(tools && { tools }),
      stopWhen: [stepCountIs(stepsMax), () => this.#proposals.isSubmitted],
      maxRetries: world.retriesMax ?? 2,
      abortSignal: this.#stopping.signal,
      ...(access.api === "anthropic" && {
        maxOutputTokens: outputTokensMax,
        providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
      }),
      // The error is also part of the stream; without this it would be printed.
      onError: () => {},
    });
    for await (const part of untilAborted(fullStream, this.#stopping.signal)) this.#hear(part);
  }

  #tools(): ToolSet {
    const { role } = this.#means.turn;
    const tools = modelTools({ desk: this.#desk, proposals: this.#proposals, role });
    return Object.fromEntries(
      tools.map(({ name, description, schema, call }) => [
        name,
        tool({
          description,
          inputSchema: jsonSchema(schema),
          execute: (input) => call(recordField(input)),
        }),
      ]),
    );
  }

  #hear(part: TextStreamPart<ToolSet>): void {
    switch (part.type) {
      case "text-delta":
        this.#count(part.text);
        this.#turnState.take({ kind: "piece", text: part.text });
        return;
      case "reasoning-delta":
        this.#count(part.text);
        this.#sign(part.text);
        return;
      case "tool-input-delta":
        this.#count(part.delta);
        this.#sign(part.delta);
        return;
      case "tool-result":
      case "tool-error":
        this.#output.recorder.record("event", JSON.stringify(part));
        return;
      case "tool-call":
        this.#output.recorder.record("event", JSON.stringify(part));
        this.#turnState.take({
          kind: "action",
          toolUse: part.toolCallId,
          words: toolWords({ tool: part.toolName, input: part.input, desk: this.#means.turn.desk }),
        });
        return;
      case "finish-step":
        this.#steps += 1;
        this.#turnState.take({ kind: "usage", of: "turn", usage: this.#add(part.usage) });
        return;
      case "finish":
        this.#ending ??= { finished: part.finishReason, raw: part.rawFinishReason };
        return;
      case "error":
        this.#ending ??= part;
        return;
      default:
        return;
    }
  }

  /** Output that is not shown is still a sign of life. */
  #sign(text: string): void {
    this.#means.observer?.onSign?.({ kind: "output", bytes: text.length });
  }

  #count(text: string): void {
    this.#characters += text.length;
    if (this.#characters > charactersMax) this.#stopping.abort();
  }

  #add({ inputTokens = 0, outputTokens = 0, inputTokenDetails }: LanguageModelUsage): Usage {
    const { model } = this.#means.access;
    const before = this.#used;
    this.#used = {
      model,
      inputTokens: before.inputTokens + inputTokens,
      outputTokens: before.outputTokens + outputTokens,
      cachedInputTokens: before.cachedInputTokens + (inputTokenDetails.cacheReadTokens ?? 0),
    };
    return usageOfModels([this.#used]);
  }

  #ended(): TurnOutcome["ended"] {
    const { turn, access, world } = this.#means;
    const failing = { agent: turn.agent, access, now: world.now(), steps: this.#steps };
    if (this.#characters > charactersMax) return shortcomingFailure("output", failing);
    if (this.#proposals.isSubmitted) return { kind: "replied" };
    const ending = this.#ending ?? { finished: "other", raw: undefined };
    if ("error" in ending) return modelFailure(troubleOf(ending.error), failing);
    const what = shortcomingOf(ending, this.#steps);
    return what === undefined ? { kind: "replied" } : shortcomingFailure(what, failing);
  }
}

function shortcomingOf(
  { finished, raw }: Exclude<ModelAnswerEnd, { error: unknown }>,
  steps: number,
): IncompleteReason | undefined {
  switch (finished) {
    case "stop":
      return undefined;
    case "content-filter":
      return "refusal";
    case "length":
      return raw === "model_context_window_exceeded" ? "context" : "length";
    case "tool-calls":
      return steps >= stepsMax ? "steps" : "nothing";
    default:
      // A finish reason of the server's own still means that it is done.
      return raw === undefined ? "nothing" : undefined;
  }
}

function languageModel({ api, url, model, key }: ModelAccess, fetch: typeof globalThis.fetch): LanguageModel {
  const baseURL = url.replace(/\/+$/, "");
  // Without a key, this package would look for one in the environment itself.
  if (api === "anthropic") return createAnthropic({ baseURL, apiKey: key?.value ?? "none", fetch })(model);
  return createOpenAICompatible({
    name: "model",
    baseURL,
    includeUsage: true,
    fetch,
    ...(key && { apiKey: key.value }),
  })(model);
}
