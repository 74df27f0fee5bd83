import { expect, test } from "vitest";
import { plan } from "../../test/kernel/plan.ts";
import type { Driver } from "../driver/driver.ts";
import { MemoryRepository, textFile } from "../git/memory-repository.ts";
import { memoryJournal } from "../journal/memory-journal.ts";
import type { Event } from "../kernel/event.ts";
import type { RunStarted } from "../kernel/run-started.ts";
import type { TaskId } from "../plan/plan.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import { memoryVerifier } from "../verify/memory-verifier.ts";
import type { Verifier } from "../verify/verifier.ts";
import { nodeChance } from "../world/node-chance.ts";
import { nodeRunClock } from "../world/node-run-clock.ts";
import { pause } from "../world/pause.ts";
import { Coordinator } from "./coordinator.ts";
import type { Hands } from "./hands.ts";

/** Works and replies at once: every act ends while the loop still waits for the disk. */
function quickAt(repository: MemoryRepository): Driver {
  return {
    name: "quick",
    ways: ["desk"],
    canResume: false,
    start({ run, task }) {
      repository.filesAt({ run, name: task }).set(`${task}.txt`, textFile(task));
      const reply = encodeUtf8(`READY FOR AUDIT: ${task}\n`);
      const ended = { kind: "replied" } as const;
      return { outcome: Promise.resolve({ ended, reply, lastLine: "", misconduct: [] }), cancel: () => {} };
    },
  };
}

/** Verifies until it is told to end. */
function stuck(): { verifier: Verifier; begun: Promise<void>; count(): number } {
  let count = 0;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const verifier: Verifier = {
    verify(request, watching) {
      count += 1;
      let release = () => {};
      const turn = () =>
        new Promise<void>((resolve) => {
          release = resolve;
          begin();
        });
      const handle = memoryVerifier({ exitCode: () => 0, turn }).verify(request, watching);
      const cancel = () => {
        handle.cancel();
        release();
      };
      return { evidence: handle.evidence, cancel };
    },
  };
  return { verifier, begun, count: () => count };
}

function handsAt(repository: MemoryRepository): Hands {
  const kept = new Map<string, Uint8Array>();
  return {
    clock: nodeRunClock(),
    chance: nodeChance,
    repository,
    verifier: memoryVerifier({ exitCode: () => 0 }),
    workbench: { carryOut: async () => ({ kind: "done" }) },
    archive: {
      keep: async (name, bytes) => void kept.set(name, bytes),
      find: async (name) => kept.get(name),
      lines: () => ({ add() {}, end() {} }),
    },
    scratch: {
      open: async () => {},
      refusals: () => [],
      handedIn: () => "",
      handIn: () => {},
      close: async () => {},
    },
    lookout: { isNeeded: () => false, distrust: () => {}, look: async () => new Map() },
    crew: {
      member: () => ({
        driver: quickAt(repository),
        settings: { driver: "quick" },
        way: "desk",
        instructions: "",
      }),
    },
    briefing: { title: "", overview: "", contract: "", task: () => ({ text: "", criteria: [] }) },
  };
}

test.each([0, 1, 5, 20])(
  "the loop goes on when an act ends while a disk of %i ms makes the last decision durable",
  async (syncMs) => {
    const repository = new MemoryRepository({ "a.txt": "a\n" });
    const { commit: base } = await repository.head();
    await repository.beginRun("r1", base);
    const journal = memoryJournal({ sync: () => pause(syncMs) }).open();
    const hands = handsAt(repository);
    const coordinator = new Coordinator({ clock: hands.clock, journal });
    coordinator.equip(hands);
    const run = { ...plan("a", "b after a", "c"), base, base_tree: await repository.treeOf(base) };
    coordinator.submit({ command: "start", run });
    expect(await coordinator.run({ leaveWhenWaiting: true })).toBe("done");
    expect(coordinator.state.index.counts.verified).toBe(3);
  },
);

async function ready(verifier: Verifier, run: RunStarted) {
  const repository = new MemoryRepository({ "a.txt": "a\n" });
  const { commit: base } = await repository.head();
  await repository.beginRun("r1", base);
  const hands = { ...handsAt(repository), verifier };
  const recorded: Event[] = [];
  const coordinator = new Coordinator({ clock: hands.clock, journal: memoryJournal().open() });
  coordinator.equip(hands);
  coordinator.watch({ onRecorded: (more) => void recorded.push(...more) });
  coordinator.submit({ command: "start", run: { ...run, base, base_tree: await repository.treeOf(base) } });
  return { coordinator, recorded };
}

test("a verify command over its limit is told as such, to the agent too, and is no plain failure", async () => {
  const { verifier } = stuck();
  const limits = { verify_timeout_ms: 20, turn_timeout_ms: 60_000, audit_attempts: 1 };
  const { coordinator, recorded } = await ready(verifier, plan(limits, "a"));
  expect(await coordinator.run({ leaveWhenWaiting: true })).toBe("waiting");
  const why = "npm test: did not end within 20 ms (verify-timeout)";
  const found = recorded.flatMap((one) => (one.event === "auditor_fail" ? one.data.findings : []));
  expect(found).toMatchObject([
    { code: "VERIFY_TIMEOUT", message: expect.stringContaining(why), hint: expect.any(String) },
  ]);
  expect(recorded).toContainEqual(
    expect.objectContaining({ event: "verification_failed", data: expect.objectContaining({ why }) }),
  );
});

test("a stop ends a verification under way, which counts as none and is begun anew", async () => {
  const by = { who: "ana", door: "terminal" } as const;
  const { verifier, begun, count } = stuck();
  const { coordinator, recorded } = await ready(verifier, plan("a"));
  const ending = coordinator.run({ leaveWhenWaiting: true });
  await begun;
  coordinator.submit({ command: "stop", by });
  expect(await ending).toBe("stopped");
  expect(recorded.map(({ event }) => event)).not.toContain("verification_failed");
  expect(coordinator.state.tasks.get("a" as TaskId)?.phase).toEqual({ name: "auditing", step: "verify" });
  coordinator.submit({ command: "resume", by });
  const again = coordinator.run({ leaveWhenWaiting: true });
  while (count() < 2) await pause(1);
  coordinator.submit({ command: "stop", by });
  expect(await again).toBe("stopped");
});

test("who wrote outside its claim hears that the file still stands there and how to remove it, a person how to allow it", async () => {
  const verifier = memoryVerifier({ exitCode: () => 0 });
  const run = plan({ reply_attempts: 1 }, { line: "a", writes: ["src/**"] });
  const { coordinator, recorded } = await ready(verifier, { ...run, plan_file: "week.md" });
  expect(await coordinator.run({ leaveWhenWaiting: true })).toBe("waiting");
  const problems = recorded.flatMap((one) => (one.event === "reply_refused" ? one.data.problems : []));
  expect(problems).toMatchObject([{ code: "CLAIM_VIOLATION", path: "a.txt" }]);
  expect(problems[0]?.hint).toMatch(
    /ask a person: .* It is still changed at your desk, .*: git checkout HEAD -- a\.txt$/,
  );
  const [asked] = recorded.flatMap((one) => (one.event === "question_asked" ? one.data.text : []));
  expect(asked).toMatch(
    /^1 reply could not be used; .*What now\?.*\nTo allow it, .* Writes .* week\.md and begin a new run/,
  );
});
