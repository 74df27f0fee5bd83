/**
 * The server's messages to its operator, on stderr: one line per entry, never a stack trace, and at most a few lines in
 * ten seconds, because a client can provoke as many as it likes.
 */
import { counted } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";

export class ServerLog {
  #lines = 0;
  #dropped = 0;
  #from = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly write: (line: string) => void,
    /** In milliseconds, from any starting point. */
    private readonly now: () => number,
  ) {}

  say(text: string): void {
    const now = this.now();
    if (now - this.#from >= windowMs) {
      const dropped = this.#dropped;
      [this.#from, this.#lines, this.#dropped] = [now, 0, 0];
      if (dropped > 0) this.write(`cox mcp: ${counted(dropped, "line")} left out (LIMIT_RATE)\n`);
    }
    this.#lines += 1;
    if (this.#lines > linesMax) this.#dropped += 1;
    else this.write(`cox mcp: ${oneLine(text, 500)}\n`);
  }
}

const windowMs = 10_000;
const linesMax = 20;
