import { expect, test } from "vitest";
import { memoryJournal } from "../../../test/doubles/memory-journal.ts";
import { plan } from "../../../test/kernel/plan.ts";
import { someTree } from "../../../test/kernel/some-object-ids.ts";
import { began, story } from "../../../test/view/story.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Occurred } from "../../kernel/evolve.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { nodeRunClock } from "../../world/time/node-run-clock.ts";
import { pause } from "../../world/time/pause.ts";
import { Coordinator } from "../loop/coordinator.ts";
import type { Ports } from "../loop/ports.ts";
import type { RunFolder } from "./run-folder.ts";
import { RunViews } from "./run-views.ts";

const by = { who: "ana", door: "terminal" } as const;

/** A run whose files are written when the test says so: the clock's second passes immediately, and the disk is slow. */
function written({ fails = false } = {}) {
  const due: (() => void)[] = [];
  const after = (_ms: number, call: () => void) => {
    due.push(call);
    return () => {};
  };
  const clock = { ...nodeRunClock(), after };
  const coordinator = new Coordinator({ clock, journal: memoryJournal().open() });
  coordinator.connect({ clock } as Partial<Ports> as Ports);
  const waiting: (() => void)[] = [];
  const kept = new Map<string, string>();
  let atOnce = 0;
  let atOnceMost = 0;
  const keep = async (name: string, bytes: Uint8Array) => {
    atOnce += 1;
    atOnceMost = Math.max(atOnceMost, atOnce);
    await new Promise<void>((resolve) => waiting.push(resolve));
    atOnce -= 1;
    if (fails) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    kept.set(name, decodeUtf8(bytes));
  };
  const views = new RunViews(coordinator, { keep } as unknown as RunFolder);
  const tick = async () => {
    await coordinator.durable();
    for (const call of due.splice(0)) call();
  };
  /** Waits until nothing is waiting for the disk. */
  const settle = async () => {
    for (let quiet = 0; quiet < 3; quiet++) {
      if (waiting.length > 0) quiet = 0;
      for (const go of waiting.splice(0)) go();
      await pause(0);
    }
  };
  coordinator.submit({ command: "start", run: plan("a") });
  return { coordinator, views, tick, settle, kept, atOnceMost: () => atOnceMost };
}

test("on a slow disk one view of a run is written at a time, and the last one is up to date", async () => {
  const { coordinator, tick, settle, kept, atOnceMost } = written();
  await tick();
  coordinator.submit({ command: "pause", reason: "person", detail: "enough", by });
  await tick();
  await settle();
  await tick();
  await settle();
  expect(atOnceMost()).toBe(1);
  expect(JSON.parse(kept.get("state.json") ?? "")).toMatchObject({ last_seq: coordinator.state.seq });
});

test("a failure to write a run's views ends the run, unless the run has already paused for it", async () => {
  const healthy = written({ fails: true });
  await healthy.tick();
  const ending = expect(healthy.views.end()).rejects.toThrow("ENOSPC");
  await healthy.settle();
  await ending;

  const troubled = written({ fails: true });
  troubled.coordinator.submit({
    command: "pause",
    reason: "trouble",
    detail: "ENOSPC: no space left on device, write",
    by,
  });
  await troubled.tick();
  const ended = expect(troubled.views.end()).resolves.toBeUndefined();
  await troubled.settle();
  await ended;
});

/** A run whose changesets fill several pages. */
function longRun(): readonly Occurred[] {
  const names = Array.from({ length: 12 }, (_, at) => `t${at}`);
  const told = story(...names);
  const operations = Array.from({ length: 60 }, (_, at) => ({
    number: at + 1,
    operation: "create" as const,
    path: `src/${"x".repeat(200)}${at}.ts`,
    description: "y".repeat(200),
    bytes: 1,
    sha256: "f".repeat(64),
  }));
  for (const name of names) {
    const { facts, attempt } = told.after(1000).works(name).replies(name).task(name);
    const work = { task: facts.task, attempt, tree: someTree("t"), files: [], summary: "", outputs: [] };
    told.tell("developer_ready_for_audit", { ...work, changeset: { operations, total: 60 } });
  }
  return told.events;
}

/** The files left by a process that is killed after writing this many of them. */
async function leftBy(
  events: readonly Occurred[],
  files: Map<string, string>,
  putMost = Number.POSITIVE_INFINITY,
) {
  const journal = memoryJournal();
  let writer: Journal = journal.open();
  for (const { event, data, at, time } of events) writer.append([{ event, data } as never], { at, time });
  await writer.durable();
  await writer.close();
  writer = journal.open();
  const clock = { now: () => began, elapsed: () => 0, after: () => () => {} };
  const coordinator = new Coordinator({ clock, journal: writer });
  coordinator.connect({ clock } as Partial<Ports> as Ports);
  let put = 0;
  const rewritten: string[] = [];
  const folder = {
    has: (name: string) => files.has(name),
    keep: async (name: string, bytes: Uint8Array) => {
      if (put >= putMost) throw new Error("killed");
      put += 1;
      if (files.has(name)) rewritten.push(name);
      files.set(name, decodeUtf8(bytes));
    },
  };
  const views = new RunViews(coordinator, folder as unknown as RunFolder);
  await views.end().catch((error: Error) => {
    if (error.message !== "killed") throw error;
  });
  return { files, put, rewritten };
}

test("after a kill between the log and its views, the next process leaves the same views as a single one", async () => {
  const events = longRun();
  const whole = await leftBy(events, new Map());
  expect([...whole.files.keys()].filter((name) => name.startsWith("progress/")).length).toBeGreaterThan(2);
  for (let at = 1; at <= events.length; at += 5) {
    for (let put = 0; put <= whole.put; put++) {
      const { files } = await leftBy(events.slice(0, at), new Map(), put);
      expect((await leftBy(events, files)).files).toEqual(whole.files);
    }
  }
});

test("an existing page of a run's progress is not written again", async () => {
  const events = longRun();
  const { files } = await leftBy(events, new Map());
  const { rewritten } = await leftBy(events, files);
  expect(rewritten).toEqual(["state.json", "progress.md"]);
});
