/** The port to programs that answer one short question. */

import { spawnSync } from "../spawn.ts";
import { pinnedProgram } from "./pinned-programs.ts";

export interface Programs {
  /** Its output; `undefined` when it is not installed, fails, or does not answer in time. */
  ask(program: string, ...args: string[]): string | undefined;
}

/** A program answers questions about itself in milliseconds, or in seconds on a cold disk or a busy machine. */
const answerMs = 15_000;

export const nodePrograms: Programs = {
  ask(program, ...args) {
    const { path } = pinnedProgram(program);
    if (path === undefined) return undefined;
    const ended = spawnSync(path, args, {
      argv0: program,
      encoding: "utf8",
      timeout: answerMs,
      stdio: ["ignore", "pipe", "ignore"],
    });
    // Some programs exit with 0 when the timeout ends them.
    return ended.status === 0 && ended.error === undefined ? ended.stdout : undefined;
  },
};
