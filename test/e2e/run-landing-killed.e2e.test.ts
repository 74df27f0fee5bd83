/**
 * A landing that is killed at system calls along its way. The next command finds files, index and branch all as before
 * or all as after, or makes them so. The user's uncommitted work is never touched.
 */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sized } from "../sized.ts";
import { type Call, findKiller } from "./killer.ts";
import { RunWorld } from "./run-world.ts";
import { snapshot } from "./snapshot.ts";

const plan = '---\nverify: "true"\n---\n## Tasks\n- [ ] one\n- [ ] two\n  - Needs: one\n';
const agent = `cat > /dev/null
mkdir -p deep/$COX_TASK; echo "$COX_TASK" | tee deep/$COX_TASK/a.txt > $COX_TASK.txt
echo "$COX_TASK" >> lines.txt; echo "Done."
`;
const points = sized({ sample: 6, campaign: 16 });

test(`a landing killed at ${points} places is finished or undone by the next command`, async (context) => {
  const killer = findKiller();
  if (typeof killer === "string") return context.skip(killer);
  const world = new RunWorld({
    plan,
    agents: { dev: agent },
    files: { "lines.txt": "first\n", "kept.txt": "kept\n" },
  });
  world.write({ "kept.txt": "stashed\n" });
  world.git("stash", "-q");
  world.write({ "kept.txt": "staged\n", "new.txt": "new\n" });
  world.git("add", "kept.txt", "new.txt");
  world.write({ "kept.txt": "not staged\n", "untracked.txt": "mine\n" });
  const ran = await world.cox("run", "plan.md", "--yes");
  expect(ran.exitCode, ran.stderr).toBe(0);

  const saved = join(world.folder, "saved");
  cpSync(world.root, saved, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const restore = () => {
    rmSync(world.root, { recursive: true });
    cpSync(saved, world.root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  };
  const run = { cwd: world.root, env: world.env };
  const before = seenByUser(world);
  const { exitCode, stdout, stderr, calls } = await killer.watch(["land", "--yes"], run);
  expect(exitCode, stdout + stderr).toBe(0);
  const landed = seenByUser(world);
  expect(landed).toMatchObject({ head: world.git("rev-parse", world.branch), status: before.status });

  const counts = { killed: 0, before: 0, landed: 0 };
  for (const [at, call] of chosen(calls).entries()) {
    restore();
    const killed = await killer.kill(["land", "--yes"], run, call);
    if (killed.signal === "SIGKILL" || killed.exitCode === null) counts.killed += 1;
    const told = `killed before ${call.name} ${call.number}`;
    const wantsLanding = at % 2 === 0;
    const next = await world.cox(...(wantsLanding ? ["land", "--yes"] : ["resume"]));
    expect(next.exitCode, `${told}: ${next.stdout}${next.stderr}`).toBe(0);
    const after = seenByUser(world);
    const isLanded = after.head === landed.head;
    expect(after, told).toEqual(isLanded ? landed : before);
    if (wantsLanding) expect(isLanded, told).toBe(true);
    counts[isLanded ? "landed" : "before"] += 1;
    expect(world.logDamage(), told).toBeUndefined();
  }
  expect(counts.killed).toBeGreaterThan(points / 2);
  expect(counts.before).toBeGreaterThan(0);
});

/** Calls that change names, write or sync, evenly spread. */
function chosen(calls: readonly Call[]): Call[] {
  const telling = calls.filter(({ name }) => /^(rename|link|unlink|mkdir|fdatasync|fsync|write)/.test(name));
  return Array.from(
    { length: points },
    (_, at) => telling[Math.floor((at * telling.length) / points)] as Call,
  );
}

/** Files, index, branch and stash. Times do not matter. */
function seenByUser(world: RunWorld) {
  const files = Object.entries(snapshot(world.root)).filter(([path]) => !/^\.git(\/|$)/.test(path));
  return {
    files: Object.fromEntries(files),
    head: world.git("rev-parse", "HEAD"),
    branch: world.git("symbolic-ref", "HEAD"),
    index: world.git("ls-files", "-s"),
    status: world.git("status", "--porcelain"),
    stash: world.git("stash", "list"),
  };
}
