/**
 * Somebody at the keyboard who can be asked. Questions go through `/dev/tty`, because stdin may be the reply.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { ReadStream } from "node:tty";
import type { Streams } from "./terminal.ts";

export interface Person {
  tell(text: string): void;
  /** The line they typed, trimmed; nothing when they closed the line instead, or the signal came. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>;
  leave(): void;
}

/**
 * Nothing when nobody is there: in CI, or when neither stream is a terminal. A process below an agent in
 * somebody's terminal can open `/dev/tty` too, but nobody would see what the question is about.
 */
export function findPerson({ stdout, stderr, env }: Streams): Person | undefined {
  if (env.CI || (!stdout.isTTY && !stderr.isTTY)) return undefined;
  try {
    return new TerminalPerson();
  } catch {
    // No controlling terminal (ENXIO), or none that we may open: nobody to ask.
    return undefined;
  }
}

class TerminalPerson implements Person {
  private readonly output = openSync("/dev/tty", "w");
  private readonly input = new ReadStream(openSync("/dev/tty", "r"));
  private readonly lines = createInterface({ input: this.input, terminal: false });

  constructor() {
    this.lines.pause();
  }

  tell(text: string): void {
    writeSync(this.output, text);
  }

  async ask(question: string, signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return undefined;
    this.tell(question);
    const answer = await new Promise<string | undefined>((resolve) => {
      const giveUp = () => resolve(undefined);
      this.lines.once("line", resolve).once("close", giveUp);
      signal.addEventListener("abort", giveUp, { once: true });
      this.lines.resume();
    });
    this.lines.pause();
    return answer?.trim();
  }

  leave(): void {
    this.lines.close();
    this.input.destroy();
    closeSync(this.output);
  }
}
