/** The port to programs that are asked one short question. */
import { spawnSync } from "node:child_process";

export interface Programs {
  /** What it printed; nothing when it is not installed, fails, or does not answer in time. */
  ask(program: string, ...args: string[]): string | undefined;
}

/** A program that answers about itself does so in milliseconds, some in seconds on a cold disk or a busy machine. */
const answerMs = 15_000;

export const nodePrograms: Programs = {
  ask(program, ...args) {
    const ended = spawnSync(program, args, {
      encoding: "utf8",
      timeout: answerMs,
      stdio: ["ignore", "pipe", "ignore"],
    });
    // Some end with 0 when they are ended for being late.
    return ended.status === 0 && ended.error === undefined ? ended.stdout : undefined;
  },
};
