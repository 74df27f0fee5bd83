/** A person at the keyboard who can be asked. */
import type { Streams } from "./terminal.ts";

export interface Person {
  tell(text: string): void;
  /**
   * The line typed after the question was shown, trimmed. Anything typed earlier does not count. `undefined` if they
   * closed the input instead, or the signal was aborted.
   */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>;
}

/**
 * `undefined` if nobody is there: in CI, or when neither output stream is a terminal. A process started by an agent in
 * somebody's terminal also has a keyboard, but nobody would see what the question is about.
 */
export function findPerson(
  { stdout, stderr, env }: Streams,
  findKeyboard: () => Person | undefined,
): Person | undefined {
  return env.CI || (!stdout.isTTY && !stderr.isTTY) ? undefined : findKeyboard();
}
