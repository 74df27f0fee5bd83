/**
 * Splits a client's output into lines: a JSON object is an event. Other lines are passed on too, because they often say
 * why something failed.
 */

import { LineSplitter } from "../output/line-splitter.ts";
import type { ClientEvent } from "./agent-client.ts";

export class EventLines {
  readonly #lines = new LineSplitter(eventLengthMax);
  readonly #hearing: EventLineHandlers;

  constructor(hearing: EventLineHandlers) {
    this.#hearing = hearing;
  }

  push(bytes: Uint8Array): void {
    this.#hear((onLine) => this.#lines.push(bytes, onLine));
  }

  end(): void {
    this.#hear((onLine) => this.#lines.end(onLine));
  }

  #hear(split: (onLine: (line: string) => void) => void): void {
    const others: string[] = [];
    split((line) => {
      const event = eventIn(line);
      if (event === undefined) others.push(line);
      else this.#hearing.onEvent(event, line);
    });
    if (others.length > 0) this.#hearing.onOthers(others);
  }
}

interface EventLineHandlers {
  onEvent(event: ClientEvent, line: string): void;
  /** Lines that are not events, as they arrived together. */
  onOthers(lines: readonly string[]): void;
}

/** More than any event with a whole file in it; we need no event longer than this. */
const eventLengthMax = 8 * 1024 * 1024;

function eventIn(line: string): ClientEvent | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as ClientEvent;
  } catch {
    // Cut off, or other text that begins with a brace.
    return undefined;
  }
}
