/**
 * Starts a confined program, and retries when its sandbox cannot be set up.
 *
 * A sandbox is planned from the mount table. If something is mounted or unmounted in the milliseconds before it is
 * ready, the kernel refuses it; a fresh plan works again. The program itself has not begun by then, so nothing is done
 * twice.
 */
import type { OpenInput, ProcessEnd, ProcessHandle, ProcessIdentity } from "./processes.ts";
import { RunningProgram } from "./running-program.ts";

/** A machine that refuses sandboxes altogether refuses three tries as well. */
const startsMax = 3;

export class RetriedStart implements ProcessHandle {
  readonly stdin?: OpenInput;
  readonly ended: Promise<ProcessEnd>;
  #current: ProcessHandle;
  #isCancelled = false;
  /** What was written before the program began; nothing is kept after that. */
  #written: ((stdin: OpenInput) => void)[] | undefined = [];

  constructor(private readonly start: () => ProcessHandle) {
    this.#current = start();
    if (this.#current.stdin) this.stdin = this.#openInput();
    this.ended = this.#untilBegun();
  }

  get identity(): ProcessIdentity | undefined {
    return this.#current.identity;
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#current.cancel();
  }

  async #untilBegun(): Promise<ProcessEnd> {
    for (let starts = 1; starts < startsMax; starts += 1) {
      const current = this.#current;
      const hasBegun = !(current instanceof RunningProgram) || (await current.hasBegun);
      if (hasBegun || this.#isCancelled) break;
      await current.ended;
      this.#current = this.start();
      for (const write of this.#written ?? []) if (this.#current.stdin) write(this.#current.stdin);
    }
    this.#written = undefined;
    return this.#current.ended;
  }

  #openInput(): OpenInput {
    const pass = (write: (stdin: OpenInput) => void) => {
      this.#written?.push(write);
      if (this.#current.stdin) write(this.#current.stdin);
    };
    return { write: (bytes) => pass((stdin) => stdin.write(bytes)), end: () => pass((stdin) => stdin.end()) };
  }
}
