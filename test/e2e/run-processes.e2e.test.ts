/** How many processes a run starts for a task, counted by the kernel: by the numbers it gave out in a namespace. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RunWorld } from "./run-world.ts";

/** The agent and the verify command, which use only what a shell has built in. */
const notOurs = 2;
const few = 2;
const many = 10;

test("the coordinator starts at most 15 processes for a task without an auditor", async (context) => {
  const [unshare, ...args] = inNamespace;
  if (spawnSync(unshare, [...args, "true"]).status !== 0)
    return context.skip("needs a system that lets this user make a process namespace");
  const less = await startedBy(few);
  const more = await startedBy(many);
  const each = (more - less) / (many - few) - notOurs;
  expect(each).toBeGreaterThan(5);
  expect(each).toBeLessThanOrEqual(15);
});

const inNamespace = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"] as const;

async function startedBy(tasks: number): Promise<number> {
  const names = Array.from({ length: tasks }, (_, at) => `t${at}`);
  const lines = names.map((name, at) => `- [ ] ${name}\n${at === 0 ? "" : `  - Needs: t${at - 1}\n`}`);
  const world = new RunWorld({
    plan: `---\nverify: test -f t0.txt\n---\n## Tasks\n${lines.join("")}`,
    agents: { dev: 'while read -r _; do :; done\necho x > "$COX_TASK.txt"\necho "Done."\n' },
  });
  // The last number that was given out is the last word of this file.
  const counted = join(world.folder, "loadavg");
  const under = [
    ...inNamespace,
    "sh",
    "-c",
    '"$@"; ended=$?; read -r line < /proc/loadavg; echo "$line" > "$0"; exit $ended',
    counted,
  ];
  const { exitCode, stderr } = await world.with({ under }).cox("run", "plan.md", "--yes");
  expect(exitCode, stderr).toBe(0);
  return Number(readFileSync(counted, "utf8").trim().split(" ").at(-1));
}
