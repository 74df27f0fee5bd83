/**
 * The cost of the coordinator itself: a run whose agent answers at once, compared with a shell loop that does the
 * visible part of the same work without recording, confining or merging anything. Where the time goes is counted at the
 * ports.
 */
import { spawnSync } from "node:child_process";
import type { RunWorld } from "../src/runtime/run-world.ts";
import { assert } from "../src/std/assert.ts";
import { chainProject, chainRun, chainVerify } from "./chain.ts";
import type { Scratch } from "./scratch.ts";
import { Shares } from "./shares.ts";
import type { Contestant, Workload } from "./workload.ts";

const run = "cox run";
const loop = "shell loop";
const tasks = 10;

export function runOverhead(scratch: Scratch): Workload {
  const shares = new Shares(["git", "fsync", "processes"]);
  return {
    name: "run-overhead",
    work: `${tasks} tasks one after the other, by an agent that writes one file and answers at once, each verified by a command and committed`,
    fairness: [
      `${run}: prompt, turn, capture, policy, a clean checkout for the verify command, commit, log; confined where the system can. Each task depends on the one before, so that times add up.`,
      `${loop}: the same agent program, the same verify command, \`git add\` and \`git commit\`, in one checkout.`,
    ],
    contestants: [coordinated(scratch, shares), looped(scratch)],
    comparisons: [{ slow: run, fast: loop, target: { atMost: 8 } }],
    notes: () => shares.lines(tasks),
  };
}

function coordinated(scratch: Scratch, shares: Shares): Contestant {
  return {
    name: run,
    prepare: async () => {
      const go = await chainRun({
        folder: chainProject(scratch),
        cache: scratch.fresh("cache"),
        tasks,
        through: (world) => counted(world, shares),
      });
      return {
        go: async () => {
          shares.begin();
          await go();
          shares.end();
        },
      };
    },
  };
}

/** The same ports, with each call that waits for somebody else timed. */
function counted(world: RunWorld, shares: Shares): RunWorld {
  return {
    ...world,
    files: shares.around("fsync", world.files, ["sync", "syncAll", "syncData"]),
    repository: shares.around("git", world.repository, [
      "head",
      "treeOf",
      "beginRun",
      "tip",
      "openDesk",
      "capture",
      "closeDesk",
      "changes",
      "merge",
      "pin",
      "commitTree",
      "advance",
    ]),
    verifier: {
      verify(request, observer) {
        const handle = world.verifier.verify(request, observer);
        return { ...handle, evidence: shares.during("processes", handle.evidence) };
      },
    },
    drivers: {
      ...world.drivers,
      findFor(settings) {
        const driver = world.drivers.findFor(settings);
        return (
          driver && {
            ...driver,
            start(turn, observer) {
              const handle = driver.start(turn, observer);
              return { ...handle, outcome: shares.during("processes", handle.outcome) };
            },
          }
        );
      },
    },
  };
}

function looped(scratch: Scratch): Contestant {
  return {
    name: loop,
    prepare: () => {
      const folder = chainProject(scratch);
      const script = `for n in $(seq 0 ${tasks - 1}); do echo "do step $n" | COX_TASK=step-$n ./agent.sh > /dev/null && sh -c '${chainVerify}' && git add -A && git commit -qm "step $n" || exit 1; done`;
      return {
        go: () => {
          const { status } = spawnSync("sh", ["-c", script], { cwd: folder, stdio: "ignore" });
          assert(status === 0, "the loop went through");
        },
      };
    },
  };
}
