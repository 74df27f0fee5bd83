/**
 * A program that is talked to over its stdio, a message a line: its process, and what is heard of it besides the talk,
 * for whoever watches and for the transcript.
 */
import { encodeUtf8 } from "../std/utf8.ts";
import type { Ended, Processes, Program, Running } from "../world/processes.ts";
import type { ClientEvent } from "./agent-client.ts";
import { ClientTale } from "./client-tale.ts";
import type { TurnWatching } from "./driver.ts";
import { EventLines } from "./event-lines.ts";
import { Listener } from "./listener.ts";
import { TurnRecorder } from "./turn-recorder.ts";

export interface TalkedProgramParts {
  readonly processes: Processes;
  readonly program: Omit<Program, "isTalkedTo" | "onOutput" | "input">;
  readonly watching: TurnWatching | undefined;
  onMessage(message: ClientEvent): void;
  /** No message will come any more. */
  onEnd(): void;
}

export class TalkedProgram {
  readonly tale: ClientTale;
  readonly running: Running;
  /** When all that it printed was heard. */
  readonly ended: Promise<Ended>;
  readonly #listener: Listener;
  /** Its stderr is a log, which nobody watches; its end tells why it failed. */
  readonly #complaints = new Listener(undefined);
  readonly #recorder: TurnRecorder;

  constructor({ processes, program, watching, onMessage, onEnd }: TalkedProgramParts) {
    const recorder = new TurnRecorder(watching, program.environment);
    this.#recorder = recorder;
    this.#listener = new Listener({
      // How much was said is not how much was printed, and that is counted below.
      onSign: (sign) => (sign.kind === "output" ? undefined : watching?.onSign?.(sign)),
    });
    this.tale = new ClientTale({ listener: this.#listener, recorder, watching });
    const lines = new EventLines({
      onEvent: (event, line) => {
        recorder.record("event", line);
        onMessage(event);
      },
      onOthers: (others) => {
        const bytes = encodeUtf8(`${others.join("\n")}\n`);
        this.#complaints.hear("stderr", bytes);
        recorder.hear("stdout", bytes);
      },
    });
    this.running = processes.start({
      ...program,
      isTalkedTo: true,
      onOutput: (stream, bytes) => {
        if (bytes.length > 0) watching?.onSign?.({ kind: "output", bytes: bytes.length });
        if (stream === "stdout") return lines.push(bytes);
        this.#complaints.hear("stderr", bytes);
        recorder.hear("stderr", bytes);
      },
    });
    this.ended = this.running.ended.then((end) => {
      lines.end();
      onEnd();
      return end;
    });
  }

  /** Before there is a process nobody talks. */
  write(bytes: Uint8Array): void {
    this.running.stdin?.write(bytes);
  }

  /** Nothing more is told of it. */
  end(): void {
    this.tale.end();
    this.#listener.end();
    this.#complaints.end();
    this.#recorder.end();
  }

  get lastLine(): string {
    return this.#listener.lastLine;
  }

  get lastComplaint(): string {
    return this.#complaints.lastComplaint || this.#listener.lastComplaint;
  }
}
