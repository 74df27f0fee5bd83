/**
 * A run whose coordinator is killed again and again at random moments: while it starts, recovers, waits, verifies or
 * commits. In the end it cannot be told from a run that nobody disturbed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Random } from "../crash/random.ts";
import { sized } from "../sized.ts";
import { RunWorld, type RunWorldOptions } from "./run-world.ts";

const runs = sized({ sample: 2, campaign: 10 });
const killsPerRun = 10;

/** Each does what its name says, and may safely run twice. */
const agent = `cat > /dev/null
case $COX_TASK in
  top*) sed -i 's/^top:.*/top: '$COX_TASK'/' shared.txt ;;
  end*) sed -i 's/^end:.*/end: '$COX_TASK'/' shared.txt ;;
  sum*) cat part/*.txt shared.txt > "$COX_TASK.txt" ;;
  *) mkdir -p part; echo "$COX_TASK" > "part/$COX_TASK.txt" ;;
esac
sleep 0.05
echo "Did $COX_TASK."
`;

const shared = ["top:", ...Array.from({ length: 20 }, (_, at) => `line ${at}`), "end:", ""].join("\n");

/** Dependencies, claims, two tasks that touch one file at once (top, end), and two that claim it in turn. */
const plan = `---
title: Twelve
verify: test -f shared.txt
active-developers: 4
---
## Tasks
- [ ] top
- [ ] end
- [ ] one
  - Writes: part/one.txt
- [ ] two
  - Writes: part/two.txt
- [ ] three
  - Writes: part/**
- [ ] four
  - Writes: part/**
- [ ] five
  - Needs: one, two
- [ ] six
  - Needs: five
- [ ] sum first
  - Needs: one, two, three, four, five, six, top, end
- [ ] top again
  - Needs: sum-first
- [ ] end again
  - Needs: sum-first
- [ ] sum last
  - Needs: top-again, end-again
`;
const tasks = [...plan.matchAll(/^- \[ \] (.*)$/gm)].map(([, title = ""]) => title.replace(" ", "-"));

const options: RunWorldOptions = { plan, agents: { dev: agent }, files: { "shared.txt": shared } };

test(`${runs} runs of 12 tasks with ${killsPerRun} kills each end as an undisturbed run does`, async (context) => {
  if (process.platform !== "linux") context.skip("needs /proc, to look for what was left running");
  const undisturbed = new RunWorld(options);
  const ended = await undisturbed.cox("run", "plan.md", "--yes");
  expect(ended.exitCode, ended.stdout + ended.stderr).toBe(0);
  expectWhole(undisturbed, "undisturbed");

  const first = Number(process.env.COX_SEED ?? Math.floor(Math.random() * 1e6));
  const seeds = Array.from({ length: runs }, (_, at) => first + at);
  const worker = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const world = new RunWorld(options);
      const told = `COX_SEED=${seed}, in ${world.root}`;
      await killAgainAndAgain(world, new Random(seed), told);
      expectWhole(world, told);
      expect(world.tree(), told).toEqual(undisturbed.tree());
    }
  };
  await Promise.all([worker(), worker()]);
});

/** Kills the coordinator, resumes, kills again, and so on; the last one may finish. */
async function killAgainAndAgain(world: RunWorld, random: Random, told: string): Promise<void> {
  let kills = 0;
  let sound = "";
  while (kills < killsPerRun) {
    const args = world.findRun() === undefined ? ["run", "plan.md", "--yes"] : ["resume"];
    const { child, ended } = world.start(...args);
    await momentToKill(world, random, () => child.exitCode !== null);
    child.kill("SIGKILL");
    const { signal, exitCode, stdout, stderr } = await ended;
    expect(signal, `${told}: ended with ${exitCode} before kill ${kills + 1}\n${stdout}${stderr}`).toBe(
      "SIGKILL",
    );
    kills += 1;
    const log = world.logText();
    expect(log.startsWith(sound), `${told}: what was there is still there after kill ${kills}`).toBe(true);
    sound = wholeAppends(log);
  }
  const { exitCode, stdout, stderr } = await world.cox("resume");
  expect(exitCode, `${told}\n${stdout}${stderr}`).toBe(0);
  expect(world.logText().startsWith(sound), told).toBe(true);
}

/** Some milliseconds after the start or, mostly, after some more records, so that work gets done. */
async function momentToKill(world: RunWorld, random: Random, isOver: () => boolean): Promise<void> {
  if (random.chance(0.3)) return sleep(random.below(500));
  const wanted = linesOf(world.logText()) + 1 + random.below(9);
  while (linesOf(world.logText()) < wanted && !isOver()) await sleep(3);
  await sleep(random.below(40));
}

function linesOf(text: string): number {
  return text.split("\n").length - 1;
}

/** The log up to the end of its last complete append. */
function wholeAppends(log: string): string {
  let sound = 0;
  for (let at = 0; ; ) {
    const end = log.indexOf("\n", at) + 1;
    if (end === 0) return log.slice(0, sound);
    const { seq, batch } = JSON.parse(log.slice(at, end)) as { seq: number; batch: number[] };
    if (seq === batch[1]) sound = end;
    at = end;
  }
}

function expectWhole(world: RunWorld, told: string): void {
  expect(world.committedTasks().sort(), told).toEqual([...tasks].sort());
  expect(world.logDamage(), told).toBeUndefined();
  expect(
    world.events().map(({ seq }) => seq),
    told,
  ).toEqual(world.events().map((_, at) => at + 1));
  expect(world.eventsOf("run_finished"), told).toMatchObject([{ outcome: "done" }]);
  expect(world.processes(), told).toEqual([]);
  expect(world.desks(), told).toEqual([]);
  expect(world.git("status", "--porcelain"), told).toBe("");
}
