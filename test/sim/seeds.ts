/**
 * Many seeds, one after the other, to the first that breaks something: by the compiled program, which is a fifth faster
 * than the same sources as the test runner loads them.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { repository } from "../crash/sow.ts";

/** Shared by two files, so that two cores have work. */
export const seedsOfFile = 5_000;

export interface Played {
  readonly seeds: number;
  /** Words of the kernel that were never said. */
  readonly missing: readonly string[];
}

/** Throws with what is broken, and the line that plays the run again. */
export function playSeeds({ from, count }: { from: number; count: number }): Promise<Played> {
  const program = join(repository(), "dist/test/sim/main.js");
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, "--from", `${from}`, "--seeds", `${count}`],
      (error, stdout, stderr) => {
        if (error) reject(new Error(`${stdout}${stderr}` || error.message));
        else resolve(JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Played);
      },
    );
  });
}
