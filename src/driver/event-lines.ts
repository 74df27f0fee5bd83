/**
 * What a client prints, line by line: events are lines that are JSON objects, and what is none is told too, because it is
 * often what tells why.
 */
import type { ClientEvent } from "./agent-client.ts";
import { LineSplitter } from "./line-splitter.ts";

export class EventLines {
  readonly #lines = new LineSplitter(eventLengthMax);
  readonly #hearing: EventHearing;

  constructor(hearing: EventHearing) {
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

interface EventHearing {
  onEvent(event: ClientEvent, line: string): void;
  /** Lines that are none, as they came together. */
  onOthers(lines: readonly string[]): void;
}

/** More than any event with the whole of a file in it; what is longer is no event that we need. */
const eventLengthMax = 8 * 1024 * 1024;

function eventIn(line: string): ClientEvent | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as ClientEvent;
  } catch {
    // Cut off, or some other word that begins with a brace.
    return undefined;
  }
}
