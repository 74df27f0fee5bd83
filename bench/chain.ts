/**
 * A chain of tasks by an agent that writes one file and answers at once: what is left is the cost of coordination. Used
 * by every benchmark that measures runs.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { composeRuns } from "../src/compose-runs.ts";
import { snapshotInputs } from "../src/config/trust/inputs.ts";
import type { RunWorld } from "../src/runtime/run-world.ts";
import { considerPlan } from "../src/runtime/start/consider-plan.ts";
import { startRun } from "../src/runtime/start/start-run.ts";
import { assert } from "../src/std/assert.ts";
import type { Scratch } from "./scratch.ts";

const agent = "#!/bin/sh\ncat > /dev/null\necho $COX_TASK > $COX_TASK.txt\necho READY FOR AUDIT: $COX_TASK\n";
export const chainVerify = "ls *.txt > /dev/null";

/** A repository with the agent and its configuration, and as many other files as wanted, a hundred in a folder. */
export function chainProject(scratch: Scratch, files = 0): string {
  const folder = scratch.fresh("project");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "bench");
  git("config", "user.email", "bench@localhost");
  writeFileSync(join(folder, "agent.sh"), agent);
  chmodSync(join(folder, "agent.sh"), 0o755);
  mkdirSync(join(folder, ".coxswain"));
  const config = `verify: ${chainVerify}\nagents:\n  dev:\n    role: developer\n    command: [${join(folder, "agent.sh")}]\n`;
  writeFileSync(join(folder, ".coxswain/config.yaml"), config);
  for (let at = 0; at < files; at += 1) {
    const inner = join(folder, `src/${Math.floor(at / 10_000)}/${Math.floor(at / 100)}`);
    if (at % 100 === 0) mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, `${at}.ts`), `export const value${at} = ${at};\n`.repeat(20));
  }
  git("add", "-A");
  git("commit", "-qm", "begin");
  return folder;
}

/** Each task depends on the one before, so that their times add up. */
function chainPlan(tasks: number): string {
  const steps = Array.from({ length: tasks }, (_, number) => {
    const before = number === 0 ? "" : `  - Depends-On: step-${number - 1}\n`;
    return `- [ ] Step ${number}\n${before}`;
  });
  return `# Bench\n\n## Tasks\n\n${steps.join("")}`;
}

export interface ChainOptions {
  readonly folder: string;
  readonly cache: string;
  readonly tasks: number;
  /** What the run reaches the world through; by default as it is. */
  readonly through?: (world: RunWorld) => RunWorld;
}

/** Prepares a run of the chain in this process; the function that is returned plays it. */
export async function chainRun(options: ChainOptions): Promise<() => Promise<void>> {
  const { folder, cache, tasks, through = (world) => world } = options;
  const ports = composeRuns({ ...process.env, HOME: folder, XDG_CACHE_HOME: cache });
  const opened = await ports.openWorld(folder);
  assert("world" in opened, "the folder is a repository");
  const world = through(opened.world);
  const text = chainPlan(tasks);
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
  return async () => {
    const by = { who: "bench", door: "command" } as const;
    const open = await startRun(world, { considered, inputs, base, by });
    const ending = await open.coordinator.run({ leaveWhenWaiting: true });
    await open.close();
    assert(ending === "done", `the run is done, not ${ending}`);
  };
}
