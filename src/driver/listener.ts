/**
 * Turns what an agent prints into signs of life: how much, its lines, and its last telling line as what it is doing.
 *
 * Lines are made safe to show here, once. In a flood only some of them come through, checkpoints first.
 */
import { oneLine } from "../std/printable.ts";
import type { TurnWatching } from "./driver.ts";
import { LineSplitter } from "./line-splitter.ts";

type Stream = "stdout" | "stderr";

export class Listener {
  readonly #watching: TurnWatching | undefined;
  readonly #splitters = { stdout: new LineSplitter(), stderr: new LineSplitter() };
  readonly #lastOf = { stdout: "", stderr: "" };
  /** The newest line that names an error. */
  readonly #errorOf = { stdout: "", stderr: "" };
  #last = "";
  #isInBlock = false;

  constructor(watching: TurnWatching | undefined) {
    this.#watching = watching;
  }

  hear(stream: Stream, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#watching?.onSign?.({ kind: "output", bytes: bytes.length });
    this.#tell(stream, (onLine) => this.#splitters[stream].push(bytes, onLine));
  }

  /** What it does, in the words of whoever knows. */
  act(words: string): void {
    this.#last = shown(words);
    this.#watching?.onSign?.({ kind: "action", words: this.#last });
  }

  /** No more will come. */
  end(): void {
    this.#tell("stdout", (onLine) => this.#splitters.stdout.end(onLine));
    this.#tell("stderr", (onLine) => this.#splitters.stderr.end(onLine));
  }

  /** The newest line that tells something: a closing brace does not, nor the version that Node.js ends its reports with. */
  get lastLine(): string {
    return this.#last;
  }

  /** What a program said last of its own failure. */
  get lastComplaint(): string {
    return this.#lastOf.stderr || this.#lastOf.stdout;
  }

  /** Below the error, its stack and its fields, Node.js says its own version, which nobody asked for. */
  #telling(stream: Stream, text: string): string {
    if (namesError.test(text)) this.#errorOf[stream] = text.trimStart();
    return /^Node\.js v\d+\.\d/.test(text) ? this.#errorOf[stream] || this.#lastOf[stream] || text : text;
  }

  #tell(stream: Stream, split: (onLine: (line: string) => void) => void): void {
    const lines = new Recent();
    let action: string | undefined;
    split((line) => lines.add(line));
    for (const line of lines.list()) {
      const text = shown(line);
      this.#watching?.onSign?.({ kind: "line", text });
      if (stream === "stdout" && /^(```|~~~)/.test(line)) this.#isInBlock = !this.#isInBlock;
      if (!/[\p{L}\p{N}]/u.test(text)) continue;
      const telling = this.#telling(stream, text);
      this.#last = telling;
      this.#lastOf[stream] = telling;
      if (stream === "stderr" || !this.#isInBlock) action = text;
    }
    // The lines of a reply's block are no news about what the agent does.
    if (action !== undefined) this.#watching?.onSign?.({ kind: "action", words: action });
  }
}

/** As programs in most languages print one that nobody caught: "TypeError: x is no function", "Error [ERR_X]: …". */
const namesError = /^\s*(?:Uncaught )?[\w.$]*(?:Error|Exception)(?: \[[^\]]*\])?: ?\S/;

/** Colours are for terminals; everything else that a line hides is written out. */
function shown(line: string): string {
  return oneLine(line.replace(/\u001b\[[0-9;]*[mK]/g, "").trimEnd(), 300);
}

/** The last lines of many, and the checkpoints among those before. */
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
