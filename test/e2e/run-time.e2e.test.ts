/** Time that does not pass evenly: a coordinator that is stopped for a while, and a wall clock that somebody changes. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { RunWorld, writesItsTask } from "./run-world.ts";

const plan = (settings: string) =>
  `---\nverify: test -f one.txt\n${settings}---\n## Tasks\n- [ ] one\n- [ ] two\n  - Needs: one\n`;

/** Prints something twice a second, for six seconds. */
const talkative = `cat > /dev/null
[ $COX_TASK = two ] || for at in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "working $at"; sleep 0.5; done
echo one > one.txt; echo "$COX_TASK" > "$COX_TASK.txt"; echo "Done."
`;

const stoppedMs = 6_500;

test(`LOG-19 a coordinator that was stopped for ${stoppedMs} ms counts no turn as stalled, and keeps the lock`, async (context) => {
  if (process.platform !== "linux") context.skip("needs /proc, to know when a process has stopped");
  const world = new RunWorld({ plan: plan("stall-timeout: 2 s\n"), agents: { dev: talkative } });
  const { child, ended } = world.start("run", "plan.md", "--yes");
  onTestFinished(() => void child.kill("SIGKILL"));
  while (world.findRun() === undefined || world.eventsOf("agent_started").length < 1) await sleep(10);
  await sleep(700);
  child.kill("SIGSTOP");
  const second = world.cox("resume", "--json");
  await sleep(stoppedMs);
  child.kill("SIGCONT");
  expect(await second).toMatchObject({ exitCode: 6 });
  expect(await ended).toMatchObject({ exitCode: 0 });
  expect(world.eventsOf("agent_timeout")).toEqual([]);
  expect(world.eventsOf("agent_dispatched")).toHaveLength(2);
  expect(world.committedTasks()).toEqual(["one", "two"]);
  expect(world.eventsOf("session_started")).toHaveLength(1);
  expect(world.logDamage()).toBeUndefined();
});

/** Loaded into the program: once a file exists, its wall clock is shifted. */
const shiftedClock = (file: string) => `import { existsSync, readFileSync } from "node:fs";
const real = Date.now;
const shift = () => (existsSync(${JSON.stringify(file)}) ? Number(readFileSync(${JSON.stringify(file)}, "utf8")) : 0);
Date.now = () => real() + shift();
globalThis.Date = class extends Date { constructor(...given) { super(...(given.length ? given : [Date.now()])); } };
`;

const yearMs = 365 * 24 * 3_600_000;

test("LOG-18 a wall clock that jumps ten years on, or six back, changes no outcome", async () => {
  const tree = async (jumpsMs: readonly number[]) => {
    const world = new RunWorld({
      plan: plan("stall-timeout: 20 s\nturn-timeout: 30 s\n"),
      agents: { dev: writesItsTask.replace("echo", "sleep 1; echo") },
    });
    const shift = join(world.folder, "shift");
    const preload = join(world.folder, "clock.mjs");
    writeFileSync(preload, shiftedClock(shift));
    const env = { NODE_OPTIONS: `--import=${pathToFileURL(preload)}` };
    const { child, ended } = world.with({ env }).start("run", "plan.md", "--yes");
    onTestFinished(() => void child.kill("SIGKILL"));
    for (const [at, jumpMs] of jumpsMs.entries()) {
      while (world.findRun() === undefined || world.eventsOf("agent_started").length <= at) await sleep(10);
      writeFileSync(shift, `${jumpMs}`);
    }
    expect(await ended).toMatchObject({ exitCode: 0 });
    expect(world.eventsOf("agent_timeout")).toEqual([]);
    expect(world.eventsOf("agent_dispatched")).toHaveLength(2);
    expect(world.committedTasks()).toEqual(["one", "two"]);
    expect(world.logDamage()).toBeUndefined();
    const years = new Set(world.events().map(({ at: moment }) => moment.slice(0, 4)));
    expect(years.size).toBe(1 + jumpsMs.length);
    // A later command, with a correct clock again, finds everything done.
    expect((await world.cox("resume")).exitCode).toBe(0);
    expect(existsSync(world.path("state.json"))).toBe(true);
    return world.tree();
  };
  const [even, jumpy] = await Promise.all([tree([]), tree([10 * yearMs, -6 * yearMs])]);
  expect(jumpy).toEqual(even);
});
