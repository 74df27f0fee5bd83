/**
 * What an agent tells of its session while it works → what is heard of it. Nothing in an update is believed to have any
 * shape; what is not known is a sign of life and no more.
 */
import { oneLine } from "../std/printable.ts";
import type { AcpQuirks } from "./acp-quirks.ts";
import { actionWords } from "./action-words.ts";
import type { ClientEvent, Heard } from "./agent-client.ts";
import { listField, recordField, textField, usdMicrosField } from "./event-fields.ts";

export class AcpUpdates {
  readonly #quirks: AcpQuirks;
  readonly #desk: string;
  /** Calls under way: what an update leaves out was said before. */
  readonly #calls = new Map<string, AcpCall>();
  #message: string | undefined;
  #aside = "";
  #isAnswered = false;
  #usdMicros = 0;

  constructor({ quirks, desk }: { readonly quirks: AcpQuirks; readonly desk: string }) {
    this.#quirks = quirks;
    this.#desk = desk;
  }

  hear(update: ClientEvent): readonly Heard[] {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#hearPiece(update);
      case "tool_call":
      case "tool_call_update":
        return this.hearCall(update);
      case "usage_update":
        this.#usdMicros = usdMicrosField(recordField(update.cost).amount);
        return [];
      default:
        return [];
    }
  }

  /** A permission is asked for by the call that needs it. */
  hearCall(update: ClientEvent): readonly Heard[] {
    this.#isAnswered = false;
    const id = textField(update.toolCallId) ?? "";
    const before = this.#calls.get(id) ?? { event: {}, words: "" };
    const event = { ...before.event, ...present(update) };
    const words = wordsOf(event, this.#desk);
    if (update.status === "completed" || update.status === "failed") this.#calls.delete(id);
    else this.#calls.set(id, { event, words });
    return words === before.words ? [] : [{ heard: "action", words }];
  }

  /** All that is known of a call. */
  callOf(id: unknown): ClientEvent {
    return this.#calls.get(textField(id) ?? "")?.event ?? {};
  }

  /** What it said last that is no word of its model. */
  get lastAside(): string {
    return this.#aside;
  }

  /** Whether its model has said something since the last tool, and since a request of its failed. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Of the whole session, which may be older than this turn. */
  get usdMicros(): number {
    return this.#usdMicros;
  }

  #hearPiece({ content, messageId }: ClientEvent): readonly Heard[] {
    const { type, text } = recordField(content);
    if (type !== "text" || typeof text !== "string" || text === "") return [];
    const id = textField(messageId);
    if (this.#quirks.retries?.test(text)) {
      this.#isAnswered = false;
      return [{ heard: "going-on" }];
    }
    if (this.#isAside(text, id)) {
      this.#aside = text.trim();
      return [];
    }
    this.#isAnswered = true;
    const isOther = id !== this.#message;
    this.#message = id;
    const piece: Heard = { heard: "piece", text };
    return isOther ? [{ heard: "going-on" }, piece] : [piece];
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

/** An update that says null leaves it as it was. */
function present(update: ClientEvent): ClientEvent {
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null));
}

function wordsOf({ kind, title, rawInput, locations }: ClientEvent, desk: string): string {
  const tool = textField(kind) ?? "other";
  const input = recordField(rawInput);
  const path = textField(recordField(listField(locations)[0]).path);
  const told = oneLine(textField(title)?.trim() || "using a tool", 120);
  if (tool === "execute")
    return actionWords({ tool, input: { command: textField(input.command) ?? told }, desk });
  const words = actionWords({ tool, input: path === undefined ? input : { file_path: path }, desk });
  return words === `using ${tool}` ? told : words;
}
