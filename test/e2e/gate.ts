/** A gate at which programs wait, to continue at the same moment. */
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";

export interface Gate {
  /** The command prefix: waits at the gate, then runs the program that follows. */
  readonly under: string[];
  /** Opens the gate after all programs have had time to reach it. A later one finds it open. */
  open(): Promise<void>;
}

let gates = 0;

export function makeGate(folder: string, programs: number): Gate {
  const path = join(folder, `gate-${gates++}`);
  execFileSync("mkfifo", [path]);
  return {
    under: ["sh", "-c", 'read _ < "$0"; exec "$@"', path],
    async open() {
      await sleep(150);
      const file = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
      writeFileSync(file, "\n".repeat(programs));
      onTestFinished(() => closeSync(file));
    },
  };
}
