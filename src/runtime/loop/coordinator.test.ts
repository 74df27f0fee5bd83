import { expect, test } from "vitest";
import { memoryJournal } from "../../../test/doubles/memory-journal.ts";
import { MemoryRepository } from "../../../test/doubles/memory-repository.ts";
import { memoryVerifier } from "../../../test/doubles/memory-verifier.ts";
import { plan } from "../../../test/kernel/plan.ts";
import { quickPorts } from "../../../test/runtime/quick-ports.ts";
import type { Event } from "../../kernel/event.ts";
import type { RunStarted } from "../../kernel/run-started.ts";
import type { TaskId } from "../../plan/plan.ts";
import type { Verifier } from "../../verify/verifier.ts";
import { pause } from "../../world/time/pause.ts";
import { Coordinator } from "./coordinator.ts";

/** A verifier that runs until it is cancelled. */
function stuck(): { verifier: Verifier; begun: Promise<void>; count(): number } {
  let count = 0;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const verifier: Verifier = {
    verify(request, observer) {
      count += 1;
      let release = () => {};
      const turn = () =>
        new Promise<void>((resolve) => {
          release = resolve;
          begin();
        });
      const handle = memoryVerifier({ exitCode: () => 0, turn }).verify(request, observer);
      const cancel = () => {
        handle.cancel();
        release();
      };
      return { evidence: handle.evidence, cancel };
    },
  };
  return { verifier, begun, count: () => count };
}

test.each([0, 1, 5, 20])(
  "the loop continues when an act ends while a disk of %i ms makes the last decision durable",
  async (syncMs) => {
    const repository = new MemoryRepository({ "a.txt": "a\n" });
    const { commit: base } = await repository.head();
    await repository.beginRun("r1", base);
    const journal = memoryJournal({ sync: () => pause(syncMs) }).open();
    const ports = quickPorts(repository);
    const coordinator = new Coordinator({ clock: ports.clock, journal });
    coordinator.connect(ports);
    const run = { ...plan("a", "b after a", "c"), base, base_tree: await repository.treeOf(base) };
    coordinator.submit({ command: "start", run });
    expect(await coordinator.run({ leaveWhenWaiting: true })).toBe("done");
    expect(coordinator.state.index.counts.done).toBe(3);
  },
);

async function ready(verifier: Verifier, run: RunStarted) {
  const repository = new MemoryRepository({ "a.txt": "a\n" });
  const { commit: base } = await repository.head();
  await repository.beginRun("r1", base);
  const ports = { ...quickPorts(repository), verifier };
  const recorded: Event[] = [];
  const coordinator = new Coordinator({ clock: ports.clock, journal: memoryJournal().open() });
  coordinator.connect(ports);
  coordinator.watch({ onRecorded: (more) => void recorded.push(...more) });
  coordinator.submit({ command: "start", run: { ...run, base, base_tree: await repository.treeOf(base) } });
  return { coordinator, recorded };
}

test("a verify command over its time limit is reported as that, to the agent too, and not as a plain failure", async () => {
  const { verifier } = stuck();
  const limits = { verify_timeout_ms: 20, turn_timeout_ms: 60_000, audit_attempts: 1 };
  const { coordinator, recorded } = await ready(verifier, plan(limits, "a"));
  expect(await coordinator.run({ leaveWhenWaiting: true })).toBe("waiting");
  const why = "npm test: did not finish within 20 ms (verify-timeout)";
  const found = recorded.flatMap((one) => (one.event === "auditor_fail" ? one.data.findings : []));
  expect(found).toMatchObject([
    { code: "VERIFY_TIMEOUT", message: expect.stringContaining(why), hint: expect.any(String) },
  ]);
  expect(recorded).toContainEqual(
    expect.objectContaining({ event: "verification_failed", data: expect.objectContaining({ why }) }),
  );
});

test("stopping a run ends its verification, which counts as none and is started again later", async () => {
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

test("an agent that wrote outside its claim is told how to remove the file, and a person how to allow it", async () => {
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
    /^1 reply was rejected; .*What now\?.*\nTo allow it, .* Writes .* week\.md and start a new run/,
  );
});
