/**
 * Builds the state of a client's turn from its signals: its last message, its usage, and whether the turn is complete.
 * Passes on signs of life as they come.
 */
import type { TurnObserver, Usage } from "../driver.ts";
import type { TurnOutput } from "../output/turn-output.ts";
import { sessionWith } from "../session.ts";
import type { ClientSignal, Trouble } from "./agent-client.ts";

export class ClientTurnState {
  readonly #output: TurnOutput;
  readonly #observer: TurnObserver | undefined;
  readonly #messages: string[] = [];
  #isOpen = false;
  #final: string | undefined;
  #session: string | undefined;
  #counters: readonly number[] = [];
  #usage: Usage | undefined;
  readonly #toolUses = new Set<string>();
  #isComplete = false;
  #trouble: Trouble | undefined;
  #resetsAt: number | undefined;

  constructor(output: TurnOutput, observer: TurnObserver | undefined) {
    this.#output = output;
    this.#observer = observer;
  }

  take(signal: ClientSignal): void {
    this.#output.recorder.understand(signal);
    if (signal.kind !== "piece") this.#closeMessage();
    switch (signal.kind) {
      case "session":
        this.#session = signal.id;
        return;
      case "counters":
        this.#counters = signal.counters;
        return;
      case "action":
        if (signal.toolUse !== undefined) this.#toolUses.add(signal.toolUse);
        this.#output.monitor.act(signal.words);
        return;
      case "message":
        this.#messages.push(signal.text);
        this.#say(signal.text.endsWith("\n") ? signal.text : `${signal.text}\n`);
        return;
      case "piece":
        this.#messages.push(`${this.#isOpen ? (this.#messages.pop() ?? "") : ""}${signal.text}`);
        this.#isOpen = true;
        this.#say(signal.text);
        return;
      case "usage":
        this.#usage = signal.of === "turn" ? signal.usage : sum(this.#usage, signal.usage);
        this.#observer?.onSign?.({ kind: "usage", usage: this.#usage });
        return;
      case "limit":
        this.#resetsAt = signal.resetsAt;
        return;
      case "complete":
        this.#isComplete = true;
        this.#final = signal.text;
        return;
      case "going-on":
        this.#isComplete = false;
        this.#trouble = undefined;
        this.#messages.push("");
        return;
      case "trouble":
        this.#trouble = signal.trouble;
        return;
    }
  }

  /** Call this when no more signals will come. */
  end(): void {
    this.#closeMessage();
  }

  /** The last message, which is the reply of a turn that ended well. */
  get lastMessage(): string {
    return this.#final ?? this.#messages.at(-1) ?? "";
  }

  /** The messages that are not empty. */
  get said(): readonly string[] {
    return this.#messages.filter((text) => text !== "");
  }

  /** All messages joined: when a turn failed, everything is worth keeping. */
  get messages(): string {
    return this.said.join("\n");
  }

  get session(): string | undefined {
    return this.#session === undefined ? undefined : sessionWith(this.#session, this.#counters);
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** The number of tool calls. */
  get toolUses(): number {
    return this.#toolUses.size;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  get trouble(): Trouble | undefined {
    return this.#trouble;
  }

  get resetsAt(): number | undefined {
    return this.#resetsAt;
  }

  #say(text: string): void {
    this.#output.monitor.hear("stdout", text);
  }

  /** Ends the open message, so that its last line is passed on too. */
  #closeMessage(): void {
    if (this.#isOpen && !this.#messages.at(-1)?.endsWith("\n")) this.#say("\n");
    this.#isOpen = false;
  }
}

function sum(before: Usage | undefined, more: Usage): Usage {
  const add = (one = 0, other = 0) => one + other;
  return {
    inputTokens: add(before?.inputTokens, more.inputTokens),
    outputTokens: add(before?.outputTokens, more.outputTokens),
    cachedInputTokens: add(before?.cachedInputTokens, more.cachedInputTokens),
    usdMicros: add(before?.usdMicros, more.usdMicros),
  };
}
