/** The hands of a run in memory whose agents are done at once: for tests of the loop, which replace what they are about. */
import type { Driver } from "../../src/driver/driver.ts";
import type { Ports } from "../../src/runtime/loop/ports.ts";
import { encodeUtf8 } from "../../src/std/utf8.ts";
import { nodeChance } from "../../src/world/chance.ts";
import { nodeRunClock } from "../../src/world/time/node-run-clock.ts";
import { type MemoryRepository, textFile } from "../doubles/memory-repository.ts";
import { memoryVerifier } from "../doubles/memory-verifier.ts";

export function quickPorts(repository: MemoryRepository): Ports {
  const kept = new Map<string, Uint8Array>();
  return {
    clock: nodeRunClock(),
    chance: nodeChance,
    repository,
    verifier: memoryVerifier({ exitCode: () => 0 }),
    workbench: { carryOut: async () => ({ kind: "done", operations: [] }) },
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
    outsideWatcher: {
      isNeeded: () => false,
      hasLayers: () => true,
      distrust: () => {},
      snapshot: async () => new Map(),
    },
    crew: {
      member: () => ({
        driver: quickDriver(repository),
        settings: { driver: "quick" },
        mode: "desk",
        instructions: "",
      }),
    },
    briefing: { title: "", overview: "", contract: "", task: () => ({ text: "", criteria: [] }) },
  };
}

/** Works and replies at once: every act ends while the loop still waits for the disk. */
export function quickDriver(repository: MemoryRepository): Driver {
  return {
    name: "quick",
    modes: ["desk"],
    canResume: false,
    start({ run, task }) {
      repository.filesAt({ run, name: task }).set(`${task}.txt`, textFile(task));
      const reply = encodeUtf8(`READY FOR AUDIT: ${task}\n`);
      const ended = { kind: "replied" } as const;
      return { outcome: Promise.resolve({ ended, reply, lastLine: "", misconduct: [] }), cancel: () => {} };
    },
  };
}
