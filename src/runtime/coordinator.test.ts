import { expect, test } from "vitest";
import { plan } from "../../test/kernel/plan.ts";
import type { Driver } from "../driver/driver.ts";
import { MemoryRepository, textFile } from "../git/memory-repository.ts";
import { memoryJournal } from "../journal/memory-journal.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import { memoryVerifier } from "../verify/memory-verifier.ts";
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
