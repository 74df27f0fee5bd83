/**
 * Runs a program that we talk to over its stdio, one message per line. Manages the process and passes on its other
 * output to the observer and the transcript.
 */
import type { ProcessEnd, Processes, ProcessHandle, Program } from "../world/processes/processes.ts";
import type { TurnObserver } from "./driver.ts";
import type { ClientEvent } from "./programs/agent-client.ts";
import { ClientOutput } from "./programs/client-output.ts";
import type { ClientTurnState } from "./programs/client-turn-state.ts";

export interface TalkedProgramParts {
  readonly processes: Processes;
  readonly program: Omit<Program, "isTalkedTo" | "onOutput" | "input">;
  readonly observer: TurnObserver | undefined;
  onMessage(message: ClientEvent): void;
  /** Called when no more messages will come. */
  onEnd(): void;
}

export class RpcProgram {
  readonly running: ProcessHandle;
  /** Resolves when all of its output was processed. */
  readonly ended: Promise<ProcessEnd>;
  readonly #output: ClientOutput;

  constructor({ processes, program, observer, onMessage, onEnd }: TalkedProgramParts) {
    const { environment } = program;
    const output = new ClientOutput({ observer, environment, hasLog: true, onEvent: onMessage });
    this.#output = output;
    this.running = processes.start({
      ...program,
      isTalkedTo: true,
      onOutput: (stream, bytes) => output.hear(stream, bytes),
    });
    this.ended = this.running.ended.then((end) => {
      output.endEvents();
      onEnd();
      return end;
    });
  }

  get turnState(): ClientTurnState {
    return this.#output.turnState;
  }

  /** Nobody writes before the process exists. */
  write(bytes: Uint8Array): void {
    this.running.stdin?.write(bytes);
  }

  /** Flushes and ends all reporting. */
  end(): void {
    this.#output.end();
  }

  get lastLine(): string {
    return this.#output.lastLine;
  }

  get lastComplaint(): string {
    return this.#output.lastComplaint;
  }
}
