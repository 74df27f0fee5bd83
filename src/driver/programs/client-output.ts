/**
 * The output of a program that prints events, one per line: the events become the state of its turn, everything else is
 * shown and recorded as it is.
 */
import type { TurnObserver } from "../driver.ts";
import { OutputMonitor } from "../output/output-monitor.ts";
import { TurnOutput } from "../output/turn-output.ts";
import type { ClientEvent } from "./agent-client.ts";
import { ClientTurnState } from "./client-turn-state.ts";
import { EventLines } from "./event-lines.ts";

export interface ClientOutputParts {
  readonly observer: TurnObserver | undefined;
  /** What the program gets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its stderr is a log that is not shown; its last lines explain a failure. */
  readonly hasLog?: true;
  onEvent(event: ClientEvent): void;
}

type Stream = "stdout" | "stderr";

export class ClientOutput {
  readonly turnState: ClientTurnState;
  readonly #observer: TurnObserver | undefined;
  readonly #output: TurnOutput;
  readonly #log: OutputMonitor | undefined;
  readonly #lines: EventLines;

  constructor({ observer, environment, hasLog, onEvent }: ClientOutputParts) {
    const output = new TurnOutput(observer && withoutAmounts(observer), environment);
    this.#observer = observer;
    this.#output = output;
    this.#log = hasLog && new OutputMonitor(undefined);
    this.turnState = new ClientTurnState(output, observer);
    this.#lines = new EventLines({
      onEvent: (event, line) => {
        output.recorder.record("event", line);
        onEvent(event);
      },
      onOthers: (lines) => this.#complain("stdout", `${lines.join("\n")}\n`),
    });
  }

  hear(stream: Stream, bytes: Uint8Array): void {
    if (bytes.length > 0) this.#observer?.onSign?.({ kind: "output", bytes: bytes.length });
    if (stream === "stdout") this.#lines.push(bytes);
    else this.#complain(stream, bytes);
  }

  /** Records a line of its own making in the transcript. */
  record(text: string): void {
    this.#output.recorder.record("stderr", text);
  }

  /** Call this when the program has ended: its last line needs no line break. */
  endEvents(): void {
    this.#lines.end();
  }

  /** Call this last: flushes and ends all reporting. */
  end(): void {
    this.turnState.end();
    this.#output.end();
    this.#log?.end();
  }

  get lastLine(): string {
    return this.#output.lastLine;
  }

  get lastComplaint(): string {
    return this.#log?.lastComplaint || this.#output.lastComplaint;
  }

  /** Lines that are no events often say why something failed, wherever they are printed. */
  #complain(stream: Stream, output: Uint8Array | string): void {
    (this.#log ?? this.#output.monitor).hear("stderr", output);
    this.#output.recorder.hear(stream, output);
  }
}

/** The length of messages is not the amount of output, which is counted as it arrives. */
function withoutAmounts(observer: TurnObserver): TurnObserver {
  return {
    onSign: (sign) => (sign.kind === "output" ? undefined : observer.onSign?.(sign)),
    ...(observer.onRecord && { onRecord: (record) => observer.onRecord?.(record) }),
  };
}
