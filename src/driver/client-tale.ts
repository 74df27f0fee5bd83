/**
 * What a client told of its turn, put together event by event: what was said last, what was used, and whether the turn
 * came to its end. Signs of life go out as they are heard.
 */
import { encodeUtf8 } from "../std/utf8.ts";
import type { Heard, Trouble } from "./agent-client.ts";
import type { TurnWatching, Usage } from "./driver.ts";
import type { Listener } from "./listener.ts";
import { sessionWith } from "./session.ts";
import type { TurnRecorder } from "./turn-recorder.ts";

interface TaleHearers {
  readonly listener: Listener;
  readonly recorder: TurnRecorder;
  readonly watching: TurnWatching | undefined;
}

export class ClientTale {
  readonly #listener: Listener;
  readonly #recorder: TurnRecorder;
  readonly #watching: TurnWatching | undefined;
  readonly #messages: string[] = [];
  #isOpen = false;
  #final: string | undefined;
  #session: string | undefined;
  #counters: readonly number[] = [];
  #usage: Usage | undefined;
  #isComplete = false;
  #trouble: Trouble | undefined;
  #resetsAt: number | undefined;

  constructor({ listener, recorder, watching }: TaleHearers) {
    this.#listener = listener;
    this.#recorder = recorder;
    this.#watching = watching;
  }

  take(heard: Heard): void {
    this.#recorder.understand(heard);
    if (heard.heard !== "piece") this.#closeMessage();
    switch (heard.heard) {
      case "session":
        this.#session = heard.id;
        return;
      case "counters":
        this.#counters = heard.counters;
        return;
      case "action":
        this.#listener.act(heard.words);
        return;
      case "message":
        this.#messages.push(heard.text);
        this.#say(heard.text.endsWith("\n") ? heard.text : `${heard.text}\n`);
        return;
      case "piece":
        this.#messages.push(`${this.#isOpen ? (this.#messages.pop() ?? "") : ""}${heard.text}`);
        this.#isOpen = true;
        this.#say(heard.text);
        return;
      case "usage":
        this.#usage = heard.of === "turn" ? heard.usage : sum(this.#usage, heard.usage);
        this.#watching?.onSign?.({ kind: "usage", usage: this.#usage });
        return;
      case "limit":
        this.#resetsAt = heard.resetsAt;
        return;
      case "complete":
        this.#isComplete = true;
        this.#final = heard.text;
        return;
      case "going-on":
        this.#isComplete = false;
        this.#trouble = undefined;
        this.#messages.push("");
        return;
      case "trouble":
        this.#trouble = heard.trouble;
        return;
    }
  }

  /** No more will come. */
  end(): void {
    this.#closeMessage();
  }

  /** The last message, which is the reply of a turn that ended well. */
  get lastMessage(): string {
    return this.#final ?? this.#messages.at(-1) ?? "";
  }

  /** Those with something in them. */
  get said(): readonly string[] {
    return this.#messages.filter((text) => text !== "");
  }

  /** All of them: of a turn that failed, everything is worth keeping. */
  get messages(): string {
    return this.said.join("\n");
  }

  get session(): string | undefined {
    return this.#session === undefined ? undefined : sessionWith(this.#session, this.#counters);
  }

  get usage(): Usage | undefined {
    return this.#usage;
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
    this.#listener.hear("stdout", encodeUtf8(text));
  }

  /** Its last line is one, too. */
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
