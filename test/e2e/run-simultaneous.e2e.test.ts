/** Many processes that try to resume one interrupted run at the same moment: exactly one becomes its writer. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { sized } from "../sized.ts";
import { makeGate } from "./gate.ts";
import { RunWorld } from "./run-world.ts";

/** A start costs half a second of CPU time: 20 rounds take a minute and a half on two cores. */
const rounds = sized({ sample: 2, campaign: 20 });
const atOnce = 16;

const plan = '---\nverify: "true"\naudit: none\n---\n## Tasks\n- [ ] one\n- [ ] two\n';

/** Works until it is released. */
const patient = (release: string) => `cat > /dev/null
while [ ! -e ${release} ]; do sleep 0.1; done
echo "$COX_TASK" > "$COX_TASK.txt"; echo "Done."
`;

test(`when ${atOnce} processes resume one run at once, exactly one becomes its writer, ${rounds} times`, async () => {
  const world = new RunWorld({ plan, agents: { dev: "" } });
  const release = join(world.folder, "release");
  writeFileSync(join(world.folder, "agents/dev.sh"), patient(release));
  const begun = world.start("run", "plan.md", "--yes");
  onTestFinished(() => void begun.child.kill("SIGKILL"));
  while (world.findRun() === undefined || world.eventsOf("agent_started").length < 2) await sleep(10);
  begun.child.kill("SIGKILL");
  await begun.ended;

  for (let round = 1; round <= rounds; round++) {
    const gate = makeGate(world.folder, atOnce);
    const starts = Array.from({ length: atOnce }, () =>
      world.with({ under: gate.under }).start("resume", "--json"),
    );
    onTestFinished(() => starts.forEach(({ child }) => void child.kill("SIGKILL")));
    await gate.open();
    const over = starts.map(({ ended }) => ended);
    const losers: unknown[] = [];
    for (const one of over) void one.then((ended) => losers.push(ended));
    while (losers.length < atOnce - 1) await sleep(10);
    expect(losers).toHaveLength(atOnce - 1);
    for (const loser of losers) {
      expect(loser, `round ${round}`).toMatchObject({
        exitCode: 6,
        stdout: expect.stringContaining("LOCK_HELD"),
      });
    }
    const winners = starts.filter(({ child }) => child.exitCode === null);
    expect(winners, `round ${round}`).toHaveLength(1);
    while (world.eventsOf("session_started").length < round + 1) await sleep(10);
    for (const { child } of winners) child.kill("SIGKILL");
    await Promise.all(over);
    expect(world.logDamage(), `round ${round}`).toBeUndefined();
  }

  writeFileSync(release, "");
  const last = await Promise.all([1, 2, 3].map(() => world.cox("resume")));
  expect(last.map(({ exitCode }) => exitCode)).toContain(0);
  for (const { exitCode, stderr } of last) expect([0, 6], stderr).toContain(exitCode);
  const sessions = world.events().filter(({ event }) => event === "session_started");
  // Of the last three, one that came when everything was done was the writer for a moment.
  expect(sessions.length).toBeGreaterThanOrEqual(rounds + 2);
  expect(new Set(sessions.map(({ fence }) => fence)).size).toBe(sessions.length);
  expect(world.committedTasks().sort()).toEqual(["one", "two"]);
  expect(world.logDamage()).toBeUndefined();
  expect(world.processes()).toEqual([]);
});
