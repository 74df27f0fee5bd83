/**
 * The cost of the coordinator itself: a run whose agent answers at once, compared with a shell loop that does the
 * visible part of the same work without recording, confining or merging anything. Where the time goes is counted at the
 * ports.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { composeRuns } from "../src/compose-runs.ts";
import { snapshotInputs } from "../src/config/trust/inputs.ts";
import type { RunWorld } from "../src/runtime/run-world.ts";
import { considerPlan } from "../src/runtime/start/consider-plan.ts";
import { startRun } from "../src/runtime/start/start-run.ts";
import { assert } from "../src/std/assert.ts";
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
    comparisons: [{ slow: run, fast: loop }],
    notes: () => shares.lines(tasks),
  };
}

const agent = "#!/bin/sh\ncat > /dev/null\necho $COX_TASK > $COX_TASK.txt\necho READY FOR AUDIT: $COX_TASK\n";
const verify = "ls *.txt > /dev/null";

function coordinated(scratch: Scratch, shares: Shares): Contestant {
  return {
    name: run,
    prepare: async () => {
      const folder = projectIn(scratch);
      const environment = { ...process.env, HOME: folder, XDG_CACHE_HOME: scratch.fresh("cache") };
      const ports = composeRuns(environment);
      const opened = await ports.openWorld(folder);
      assert("world" in opened, "the folder is a repository");
      const world = counted(opened.world, shares);
      const text = planText();
      const considered = considerPlan(world.files, {
        ...ports,
        text,
        name: "plan.md",
        root: folder,
        isForRun: true,
      });
      assert(!considered.isBlocked, "the plan can be run");
      const { commit: base } = await world.repository.head();
      const inputs = snapshotInputs({ ...considered, planText: text, base });
      return {
        go: async () => {
          shares.begin();
          const by = { who: "bench", door: "command" } as const;
          const open = await startRun(world, { considered, inputs, base, by });
          const ending = await open.coordinator.run({ leaveWhenWaiting: true });
          await open.close();
          shares.end();
          assert(ending === "done", `the run is done, not ${ending}`);
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
      "seal",
      "advance",
    ]),
    verifier: {
      verify(request, watching) {
        const handle = world.verifier.verify(request, watching);
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
            start(turn, watching) {
              const handle = driver.start(turn, watching);
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
      const folder = projectIn(scratch);
      const script = `for n in $(seq 0 ${tasks - 1}); do echo "do step $n" | COX_TASK=step-$n ./agent.sh > /dev/null && sh -c '${verify}' && git add -A && git commit -qm "step $n" || exit 1; done`;
      return {
        go: () => {
          const { status } = spawnSync("sh", ["-c", script], { cwd: folder, stdio: "ignore" });
          assert(status === 0, "the loop went through");
        },
      };
    },
  };
}

function projectIn(scratch: Scratch): string {
  const folder = scratch.fresh("project");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "bench");
  git("config", "user.email", "bench@localhost");
  writeFileSync(join(folder, "agent.sh"), agent);
  chmodSync(join(folder, "agent.sh"), 0o755);
  mkdirSync(join(folder, ".coxswain"));
  const config = `verify: ${verify}\nagents:\n  dev:\n    role: developer\n    command: [${join(folder, "agent.sh")}]\n`;
  writeFileSync(join(folder, ".coxswain/config.yaml"), config);
  git("add", "-A");
  git("commit", "-qm", "begin");
  return folder;
}

function planText(): string {
  const steps = Array.from({ length: tasks }, (_, number) => {
    const before = number === 0 ? "" : `  - Depends-On: step-${number - 1}\n`;
    return `- [ ] Step ${number}\n${before}`;
  });
  return `# Bench\n\n## Tasks\n\n${steps.join("")}`;
}
