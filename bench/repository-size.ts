/**
 * What a task costs in repositories of different sizes: by a run whose first checkouts are there already, and by a loop
 * that makes a worktree for each task, as other programs do it.
 */
import { spawnSync } from "node:child_process";
import { assert } from "../src/std/assert.ts";
import { grouped } from "../src/std/counted.ts";
import { chainProject, chainRun, chainVerify } from "./chain.ts";
import type { PeerTable } from "./peer-table.ts";
import type { Scratch } from "./scratch.ts";

const sizes = [500, 5_000, 50_000];
const tasks = 6;
const rounds = 3;
const ratioMax = 2;

export async function repositorySize(scratch: Scratch, progress: (line: string) => void): Promise<PeerTable> {
  const rows = new Map<string, number[]>([
    ["cox run", []],
    ["a worktree per task", []],
  ]);
  for (const size of sizes) {
    const folder = chainProject(scratch, size);
    for (const [who, go] of [
      ["cox run", await warmRun(scratch, folder)],
      ["a worktree per task", () => worktrees(scratch, folder)],
    ] as const) {
      progress(`repository-size: ${who}, ${grouped(size)} files`);
      rows.get(who)?.push(await shortest(go));
    }
  }
  const [small = 0, , large = 0] = rows.get("cox run") ?? [];
  return {
    name: "repository-size",
    work: `${tasks} tasks one after the other, each verified and committed: milliseconds a task`,
    columns: sizes.map((size) => `${grouped(size)} files`),
    rows: [...rows].map(([who, times]) => ({ who, cells: times.map((ms) => (ms / tasks).toFixed(0)) })),
    aims: [
      {
        wanted: `a task in ${grouped(sizes.at(-1) ?? 0)} files takes at most ${ratioMax} times as long as one in ${sizes[0]}`,
        found: `${(large / small).toFixed(1)} times`,
        met: large <= ratioMax * small,
      },
    ],
    fairness: [
      `The shortest of ${rounds} rounds. A run of two tasks comes before and is not counted: it makes the first checkouts.`,
      "a worktree per task: `git worktree add`, the agent, the verify command, a commit, a merge into the branch, `git worktree remove`; nothing is confined, recorded or verified in a clean checkout.",
    ],
  };
}

async function warmRun(scratch: Scratch, folder: string): Promise<() => Promise<void>> {
  const cache = scratch.fresh("cache");
  await (await chainRun({ folder, cache, tasks: 2 }))();
  return async () => (await chainRun({ folder, cache, tasks }))();
}

function worktrees(scratch: Scratch, folder: string): void {
  const place = scratch.fresh("worktrees");
  const script = `git checkout -q -B loop main || exit 1
for n in $(seq 0 ${tasks - 1}); do
  git worktree add -q --detach ${place}/$n loop && cd ${place}/$n && echo "do step $n" | COX_TASK=step-$n ./agent.sh > /dev/null &&
  sh -c '${chainVerify}' && git add -A && git commit -qm "step $n" && made=$(git rev-parse HEAD) && cd ${folder} &&
  git merge -q --ff-only $made && git worktree remove --force ${place}/$n || exit 1
done
git checkout -q main`;
  const { status, stderr } = spawnSync("sh", ["-c", script], { cwd: folder, encoding: "utf8" });
  assert(status === 0, `the loop went through: ${stderr}`);
}

async function shortest(go: () => Promise<void> | void): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    await go();
    times.push(performance.now() - began);
  }
  return Math.min(...times);
}
