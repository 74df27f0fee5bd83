/**
 * Turns an agent's session updates into signals. The shape of an update is never trusted; an unknown update is a sign
 * of life and nothing more.
 */
import { oneLine } from "../../std/printable.ts";
import { actionWords } from "../programs/action-words.ts";
import type { ClientEvent, ClientSignal } from "../programs/agent-client.ts";
import { listField, recordField, textField, usdMicrosField } from "../programs/event-fields.ts";
import type { AcpQuirks } from "./acp-quirks.ts";

export class AcpUpdates {
  readonly #quirks: AcpQuirks;
  readonly #desk: string;
  /** Running tool calls: what an update leaves out was in an earlier one. */
  readonly #calls = new Map<string, AcpCall>();
  #message: string | undefined;
  #aside = "";
  #isAnswered = false;
  #usdMicros = 0;

  constructor({ quirks, desk }: { readonly quirks: AcpQuirks; readonly desk: string }) {
    this.#quirks = quirks;
    this.#desk = desk;
  }

  signalsOf(update: ClientEvent): readonly ClientSignal[] {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#pieceSignals(update);
      case "tool_call":
      case "tool_call_update":
        return this.callSignals(update);
      case "usage_update":
        this.#usdMicros = usdMicrosField(recordField(update.cost).amount);
        return [];
      default:
        return [];
    }
  }

  /** A permission request also carries the tool call that needs it. */
  callSignals(update: ClientEvent): readonly ClientSignal[] {
    this.#isAnswered = false;
    const id = textField(update.toolCallId) ?? "";
    const before = this.#calls.get(id) ?? { event: {}, words: "" };
    const event = { ...before.event, ...present(update) };
    const words = wordsOf(event, this.#desk);
    if (update.status === "completed" || update.status === "failed") this.#calls.delete(id);
    else this.#calls.set(id, { event, words });
    return words === before.words ? [] : [{ kind: "action", toolUse: id, words }];
  }

  /** Everything known about a running call. */
  callOf(id: unknown): ClientEvent {
    return this.#calls.get(textField(id) ?? "")?.event ?? {};
  }

  /** The last thing it said that is not from its model. */
  get lastAside(): string {
    return this.#aside;
  }

  /** Whether its model has said something since the last tool call and the last failed request. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** The cost of the whole session, which may be older than this turn. */
  get usdMicros(): number {
    return this.#usdMicros;
  }

  #pieceSignals({ content, messageId }: ClientEvent): readonly ClientSignal[] {
    const { type, text } = recordField(content);
    if (type !== "text" || typeof text !== "string" || text === "") return [];
    const id = textField(messageId);
    if (this.#quirks.retries?.test(text)) {
      this.#isAnswered = false;
      return [{ kind: "going-on" }];
    }
    if (this.#isAside(text, id)) {
      this.#aside = text.trim();
      return [];
    }
    this.#isAnswered = true;
    const isOther = id !== this.#message;
    this.#message = id;
    const piece: ClientSignal = { kind: "piece", text };
    return isOther ? [{ kind: "going-on" }, piece] : [piece];
  }

  #isAside(text: string, id: string | undefined): boolean {
    const { asides, isAsideWithoutId } = this.#quirks;
    return (isAsideWithoutId && id === undefined) || asides.some((beginning) => beginning.test(text));
  }
}

interface AcpCall {
  readonly event: ClientEvent;
  readonly words: string;
}

/** A null in an update leaves the field as it was. */
function present(update: ClientEvent): ClientEvent {
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null));
}

function wordsOf({ kind, title, rawInput, locations }: ClientEvent, desk: string): string {
  const tool = textField(kind) ?? "other";
  const input = recordField(rawInput);
  const path = textField(recordField(listField(locations)[0]).path);
  const titleWords = oneLine(textField(title)?.trim() || "using a tool", 120);
  if (tool === "execute")
    return actionWords({ tool, input: { command: textField(input.command) ?? titleWords }, desk });
  const words = actionWords({ tool, input: path === undefined ? input : { file_path: path }, desk });
  return words === `using ${tool}` ? titleWords : words;
}
