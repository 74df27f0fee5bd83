import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { plan } from "../../../test/kernel/plan.ts";
import { FileJournal } from "../../journal/file-journal.ts";
import { decide } from "../../kernel/decide.ts";
import { agentRows } from "../../view/agents/agent-rows.ts";
import type { RunSnapshot } from "../../view/status/liveness.ts";
import { elapsedMs } from "../../view/status/status.ts";
import { nodeChance } from "../../world/chance.ts";
import { openFiles } from "../../world/files/choose-files.ts";
import { RunLook } from "../look-at-run.ts";
import { Coordinator } from "../loop/coordinator.ts";
import { LiveSigns } from "../loop/live-signs.ts";
import type { Ports } from "../loop/ports.ts";
import { LiveFile } from "./live-file.ts";
import { readLiveRecord } from "./live-record.ts";
import { RunFolder } from "./run-folder.ts";

const files = openFiles();

/** Advances when the test says so, and calls what is due. */
class Clock {
  at = Date.UTC(2026, 0, 16, 10);
  #elapsed = 0;
  #due: { readonly at: number; readonly call: () => void }[] = [];

  now = () => this.at;
  elapsed = () => this.#elapsed;

  after = (ms: number, call: () => void) => {
    const one = { at: this.#elapsed + ms, call };
    this.#due.push(one);
    return () => {
      this.#due = this.#due.filter((other) => other !== one);
    };
  };

  pass(ms: number): void {
    for (let left = ms; left > 0; left -= 100) {
      this.at += 100;
      this.#elapsed += 100;
      const due = this.#due.filter(({ at }) => at <= this.#elapsed);
      this.#due = this.#due.filter(({ at }) => at > this.#elapsed);
      for (const { call } of due) call();
    }
  }
}

/** A process working on a run of one task, with an agent at work, and somebody who watches it from outside. */
async function atWork() {
  const root = mkdtempSync(join(tmpdir(), "cox-live-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const clock = new Clock();
  const folder = await RunFolder.make(files, root, "r1");
  const open = () => FileJournal.open({ files, chance: nodeChance, folder: folder.path, holder: "test" });
  const journal = open();
  const coordinator = new Coordinator({ clock, journal });
  coordinator.connect({ clock } as Partial<Ports> as Ports);
  coordinator.submit({ command: "start", run: plan("a") });
  const { order } = decide(coordinator.state, coordinator.now());
  if (order?.command !== "dispatch") throw new Error(`the first order is ${order?.command}`);
  coordinator.submit({ ...order, fenceTag: "f" });
  await coordinator.durable();
  const [turn = ""] = coordinator.state.turns.keys();
  const signs = new LiveSigns(coordinator);
  const live = new LiveFile(coordinator, folder, signs);
  const outside = RunFolder.open(files, root, "r1");
  if (!outside) throw new Error("the run is there");
  const look = new RunLook(files, outside);
  onTestFinished(() => look.close());
  await look.read();
  return {
    clock,
    coordinator,
    folder,
    live,
    journal,
    open,
    path: join(root, ".coxswain/runs/r1/live.json"),
    hear: (words: string) => coordinator.reportSign({ key: `turn:${turn}`, task: "a", words }),
    inside: (): RunSnapshot => ({
      state: coordinator.state,
      now: { at: clock.now(), time: coordinator.now() },
      liveness: signs.liveness(),
    }),
    outside: (): RunSnapshot => look.seen(clock.now()),
  };
}

function silence(seen: RunSnapshot): number {
  return agentRows(seen)[0]?.silent_ms ?? Number.NaN;
}

test("another process sees what the coordinator shows: when an agent was heard, what it did, for how long", async () => {
  const { clock, hear, inside, outside } = await atWork();
  for (let second = 0; second < 10; second++) {
    clock.pass(700);
    hear(`editing ${second}.ts`);
    clock.pass(300);
    const shown = inside();
    const seen = outside();
    expect(seen.liveness.isAlive).toBe(true);
    expect(Math.abs(silence(seen) - silence(shown))).toBeLessThan(1000);
    expect(Math.abs(elapsedMs(seen) - elapsedMs(shown))).toBeLessThan(1000);
  }
  clock.pass(500);
  expect(agentRows(outside())[0]?.action).toBe("editing 9.ts");
});

test("another process sees the running verify command with its time", async () => {
  const { clock, coordinator, outside } = await atWork();
  const { tasks } = coordinator.state;
  const [task] = tasks.values();
  if (!task) throw new Error("there is a task");
  (task as { phase: unknown }).phase = { name: "auditing", step: "verify" };
  coordinator.reportSign({ key: "verify:a", task: "a", words: "npm test" });
  clock.pass(500);
  expect([...outside().liveness.checks]).toEqual([["a", { command: "npm test", since: 0 }]]);
});

test("after a kill, ages grow by the wall clock, and run time stays where it was last shown, or a little later", async () => {
  const { clock, hear, inside, outside, journal } = await atWork();
  clock.pass(3000);
  hear("editing a.ts");
  clock.pass(2400);
  const shown = elapsedMs(inside());
  await journal.close();
  clock.at += 180_000;
  const dead = outside();
  expect(dead.liveness.isAlive).toBe(false);
  expect(silence(dead)).toBe(2400 + 180_000);
  expect(elapsedMs(dead)).toBeGreaterThanOrEqual(shown);
  const stands = elapsedMs(dead);
  clock.at += 60_000;
  expect(elapsedMs(outside())).toBe(stands);
  expect(silence(outside())).toBe(2400 + 240_000);
});

test("a session after a kill continues from the run time that was shown, not from the last record", async () => {
  const { clock, inside, outside, journal, open, folder } = await atWork();
  clock.pass(60_400);
  const shown = elapsedMs(inside());
  await journal.close();
  clock.at += 180_000;
  const dead = elapsedMs(outside());
  const next = open();
  const coordinator = new Coordinator({ clock, journal: next, live: readLiveRecord(folder) });
  expect(coordinator.now()).toBeGreaterThanOrEqual(shown);
  expect(coordinator.now()).toBeGreaterThanOrEqual(dead);
  expect(coordinator.now()).toBeLessThan(shown + 1000);
  await next.close();
});

test("the run time of a process that left by itself is its last shown time", async () => {
  const { clock, live, inside, outside, journal } = await atWork();
  clock.pass(2400);
  const { time } = live.end();
  expect(elapsedMs(inside())).toBe(time);
  await journal.close();
  clock.pass(60_000);
  expect(elapsedMs(outside())).toBe(time);
});

test("a stopped process is shown with at most a second more, so that run time never goes back", async () => {
  const { clock, inside, outside } = await atWork();
  clock.pass(5000);
  const shown = elapsedMs(inside());
  clock.at += 3_600_000;
  expect(outside().liveness.isAlive).toBe(true);
  expect(elapsedMs(outside())).toBeLessThanOrEqual(shown + 1000);
});

test.each<[string, string]>([
  ["no JSON", "{"],
  ["another shape", '{"at": "soon", "time": {}, "turns": 7}'],
  [
    "signs of no shape",
    '{"at": 1, "time": 2, "turns": {"a.1.1": {"heard": "now"}, "b": null}, "checks": []}',
  ],
  ["a time that cannot be", `{"at": 0, "time": 1e15, "turns": {}}`],
])("a live file with %s loses nothing but its own contents", async (_name, text) => {
  const { clock, coordinator, outside, journal, open, folder, path } = await atWork();
  await journal.close();
  clock.at += 5000;
  writeFileSync(path, text);
  const { time } = coordinator.state;
  const seen = outside();
  expect(silence(seen)).toBeNaN();
  expect(elapsedMs(seen)).toBeLessThanOrEqual(time + 5000);
  const next = open();
  const resumed = new Coordinator({ clock, journal: next, live: readLiveRecord(folder) });
  expect(resumed.now()).toBeLessThanOrEqual(time + 5000);
  await next.close();
});
