/** How long `cox --help` takes: hardly longer than Node itself takes to start. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { assert } from "../src/std/assert.ts";
import type { Contestant, Workload } from "./workload.ts";

// Relative to dist/bench/, where this runs.
const program = fileURLToPath(new URL("../../bin/cox.js", import.meta.url));

const version = "cox --version";
const help = "cox --help";
const nothing = "node -e 0";

export function startUp(): Workload {
  return {
    name: "start-up",
    work: "a new process that prints the version, or the help, and ends",
    fairness: [`${nothing}: the least that Node can do.`],
    contestants: [
      starting(version, [program, "--version"]),
      starting(help, [program, "--help"]),
      starting(nothing, ["-e", "0"]),
    ],
    comparisons: [
      { slow: version, fast: nothing, target: { atMost: 1.2 } },
      { slow: help, fast: nothing, target: { atMost: 1.2 } },
    ],
    roundsMin: 15,
  };
}

function starting(name: string, args: readonly string[]): Contestant {
  return {
    name,
    prepare: () => {
      let status: number | null;
      return {
        go: () => {
          status = spawnSync(process.execPath, args).status;
        },
        end: () => assert(status === 0, `${name} ended well`),
      };
    },
  };
}
