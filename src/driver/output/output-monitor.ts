/**
 * Turns an agent's output into signs of life: the number of bytes, its lines, and its last meaningful line as what it
 * is doing.
 *
 * Lines are made safe to show here, once. In a flood only some of them get through, checkpoints first.
 */
import { oneLine } from "../../std/printable.ts";
import { usagePrefix } from "../command/usage-reports.ts";
import type { TurnObserver } from "../driver.ts";
import { LineSplitter } from "./line-splitter.ts";

type Stream = "stdout" | "stderr";

export class OutputMonitor {
  readonly #observer: TurnObserver | undefined;
  readonly #splitters = { stdout: new LineSplitter(), stderr: new LineSplitter() };
  readonly #lastOf = { stdout: "", stderr: "" };
  /** The newest line that names an error, per stream. */
  readonly #errorOf = { stdout: "", stderr: "" };
  #last = "";
  #isInBlock = false;

  constructor(observer: TurnObserver | undefined) {
    this.#observer = observer;
  }

  hear(stream: Stream, output: Uint8Array | string): void {
    if (output.length === 0) return;
    this.#observer?.onSign?.({ kind: "output", bytes: Buffer.byteLength(output) });
    this.#tell(stream, (onLine) => this.#splitters[stream].push(output, onLine));
  }

  /** Reports what the agent does, in the words of a caller that knows. */
  act(words: string): void {
    this.#last = shown(words);
    this.#observer?.onSign?.({ kind: "action", words: this.#last });
  }

  /** Call this when no more output will come. */
  end(): void {
    this.#tell("stdout", (onLine) => this.#splitters.stdout.end(onLine));
    this.#tell("stderr", (onLine) => this.#splitters.stderr.end(onLine));
  }

  /**
   * The newest meaningful line: not a lone closing brace, nor the version line that Node.js ends its error reports
   * with.
   */
  get lastLine(): string {
    return this.#last;
  }

  /** What the program last said about its own failure. */
  get lastComplaint(): string {
    return this.#lastOf.stderr || this.#lastOf.stdout;
  }

  /**
   * After an error with its stack and fields, Node.js prints its own version, which helps nobody: use the error
   * instead.
   */
  #telling(stream: Stream, text: string): string {
    if (namesError.test(text)) this.#errorOf[stream] = text.trimStart();
    return /^Node\.js v\d+\.\d/.test(text) ? this.#errorOf[stream] || this.#lastOf[stream] || text : text;
  }

  #tell(stream: Stream, split: (onLine: (line: string) => void) => void): void {
    const lines = new Recent();
    let action: string | undefined;
    split((line) => lines.add(line));
    for (const line of lines.list()) {
      // Usage reports are for the coordinator and say nothing about what the agent does.
      if (line.startsWith(usagePrefix)) continue;
      const text = shown(line);
      this.#observer?.onSign?.({ kind: "line", text });
      if (stream === "stdout" && /^(```|~~~)/.test(line)) this.#isInBlock = !this.#isInBlock;
      if (!/[\p{L}\p{N}]/u.test(text)) continue;
      const telling = this.#telling(stream, text);
      this.#last = telling;
      this.#lastOf[stream] = telling;
      if (stream === "stderr" || !this.#isInBlock) action = text;
    }
    // Lines inside a reply's block do not say what the agent does.
    if (action !== undefined) this.#observer?.onSign?.({ kind: "action", words: action });
  }
}

/** An uncaught error as most languages print it: "TypeError: x is no function", "Error [ERR_X]: …". */
const namesError = /^\s*(?:Uncaught )?[\w.$]*(?:Error|Exception)(?: \[[^\]]*\])?: ?\S/;

/** Strips colours, which are for terminals, and escapes all other control characters. */
function shown(line: string): string {
  return oneLine(line.replace(/\u001b\[[0-9;]*[mK]/g, "").trimEnd(), 300);
}

/** Keeps the last lines of many, and the checkpoints among the earlier ones. */
class Recent {
  #lines: string[] = [];

  add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length >= 10 * linesMax) this.#thin();
  }

  list(): readonly string[] {
    if (this.#lines.length > linesMax) this.#thin();
    return this.#lines;
  }

  #thin(): void {
    const early = this.#lines.slice(0, -linesMax).filter((line) => line.startsWith("Checkpoint:"));
    this.#lines = [...early.slice(0, linesMax), ...this.#lines.slice(-linesMax)];
  }
}

/** Several times what a screen shows, a few times a second. */
const linesMax = 50;
