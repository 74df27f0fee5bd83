/**
 * Runs a program that we talk to over its stdio, one message per line. Manages the process and passes on its other
 * output to the observer and the transcript.
 */
import { encodeUtf8 } from "../std/utf8.ts";
import type { ProcessEnd, Processes, ProcessHandle, Program } from "../world/processes/processes.ts";
import type { TurnObserver } from "./driver.ts";
import { OutputMonitor } from "./output/output-monitor.ts";
import { TurnRecorder } from "./output/turn-recorder.ts";
import type { ClientEvent } from "./programs/agent-client.ts";
import { ClientTurnState } from "./programs/client-turn-state.ts";
import { EventLines } from "./programs/event-lines.ts";

export interface TalkedProgramParts {
  readonly processes: Processes;
  readonly program: Omit<Program, "isTalkedTo" | "onOutput" | "input">;
  readonly watching: TurnObserver | undefined;
  onMessage(message: ClientEvent): void;
  /** Called when no more messages will come. */
  onEnd(): void;
}

export class RpcProgram {
  readonly turnState: ClientTurnState;
  readonly running: ProcessHandle;
  /** Resolves when all of its output was processed. */
  readonly ended: Promise<ProcessEnd>;
  readonly #listener: OutputMonitor;
  /** Its stderr is a log that is not shown; its last lines explain a failure. */
  readonly #complaints = new OutputMonitor(undefined);
  readonly #recorder: TurnRecorder;

  constructor({ processes, program, watching, onMessage, onEnd }: TalkedProgramParts) {
    const recorder = new TurnRecorder(watching, program.environment);
    this.#recorder = recorder;
    this.#listener = new OutputMonitor({
      // The length of messages is not the amount of output, which is counted below.
      onSign: (sign) => (sign.kind === "output" ? undefined : watching?.onSign?.(sign)),
    });
    this.turnState = new ClientTurnState({ listener: this.#listener, recorder, watching });
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

  /** Nobody writes before the process exists. */
  write(bytes: Uint8Array): void {
    this.running.stdin?.write(bytes);
  }

  /** Flushes and ends all reporting. */
  end(): void {
    this.turnState.end();
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
