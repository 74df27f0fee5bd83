/**
 * A git process that stays and answers one question after the other, because starting git costs more than most of its
 * answers. It starts with the first question, ends when nobody has asked for a while, and ends with us.
 *
 * If somebody kills it, what it had not answered completely is asked once more of a new one. If it ends by itself with
 * an error, that is its answer to the oldest question; the others are asked again.
 */
import { assert } from "../../std/assert.ts";
import type { OpenCommand, OpenCommandEnd } from "../../world/processes/commands.ts";

/** How long the answer is at the start of the output; undefined while that cannot be told yet. */
export type AnswerLength = (output: Buffer) => number | undefined;

export interface LongLivedGitParts {
  open(listener: { onOutput(chunk: Uint8Array): void; onEnd(ended: OpenCommandEnd): void }): OpenCommand;
  /** The error for an exit code and what git printed about it. */
  failure(code: number, stderr: string): Error;
}

interface Question {
  readonly text: string;
  readonly lengthOf: AnswerLength;
  readonly resolve: (answer: Buffer) => void;
  readonly reject: (error: unknown) => void;
  wasLost: boolean;
}

/** Longer than a quick agent takes for a task. While slow agents work, no idle process is kept. */
const idleMs = 5000;

export class LongLivedGit {
  #process: OpenCommand | undefined;
  #waiting: Question[] = [];
  #output: Buffer[] = [];
  #outputBytes = 0;
  /** Length of the answer that is being printed, once it is known. */
  #length: number | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(private readonly parts: LongLivedGitParts) {}

  ask(text: string, lengthOf: AnswerLength): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#put({ text, lengthOf, resolve, reject, wasLost: false });
    });
  }

  #put(question: Question): void {
    clearTimeout(this.#idle);
    try {
      this.#process ??= this.#start();
    } catch (error) {
      question.reject(error);
      return;
    }
    this.#waiting.push(question);
    this.#process.setAwaited(true);
    this.#process.write(question.text);
  }

  #start(): OpenCommand {
    this.#output = [];
    this.#outputBytes = 0;
    this.#length = undefined;
    const listener = {
      onOutput: (chunk: Uint8Array) => {
        if (this.#process === started) this.#take(chunk);
      },
      onEnd: (ended: OpenCommandEnd) => {
        if (this.#process === started) this.#end(ended);
      },
    };
    const started = this.parts.open(listener);
    return started;
  }

  #take(chunk: Uint8Array): void {
    this.#output.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.#outputBytes += chunk.byteLength;
    for (let [asked] = this.#waiting; asked && this.#outputBytes > 0; [asked] = this.#waiting) {
      // A large answer comes in many chunks: they are joined only when it is complete.
      if (this.#length !== undefined && this.#outputBytes < this.#length) return;
      const output = this.#output.length === 1 ? this.#output[0] : Buffer.concat(this.#output);
      assert(output, "there is output");
      this.#output = [output];
      this.#length ??= asked.lengthOf(output);
      if (this.#length === undefined || output.length < this.#length) return;
      const rest = output.subarray(this.#length);
      asked.resolve(output.subarray(0, this.#length));
      this.#waiting.shift();
      this.#output = [rest];
      this.#outputBytes = rest.length;
      this.#length = undefined;
    }
    if (this.#waiting.length === 0) this.#rest();
  }

  #rest(): void {
    this.#process?.setAwaited(false);
    this.#idle = setTimeout(() => this.#close(), idleMs).unref();
  }

  #close(): void {
    this.#process?.close();
    this.#process = undefined;
  }

  #end({ code, stderr, wasKilled }: OpenCommandEnd): void {
    this.#process = undefined;
    const unanswered = this.#waiting;
    this.#waiting = [];
    const [first] = unanswered;
    if (first && (first.wasLost || (!wasKilled && code !== 0))) {
      unanswered.shift();
      first.reject(this.parts.failure(code, stderr));
    } else if (first) {
      first.wasLost = true;
    }
    for (const question of unanswered) this.#put(question);
  }
}
