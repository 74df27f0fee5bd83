/** Runs in memory, for tests of what stands above them. */
import type { RunLibrary } from "../../src/mcp/resources/runs.ts";

export interface MemoryRuns extends RunLibrary {
  /** Something happens in it, with which it begins if it has not; nothing removes it. */
  put(run: string, text: string | undefined): void;
}

/** `runs` are names with what there is to read, in each of its views. */
export function memoryRuns(runs: Readonly<Record<string, string>> = {}): MemoryRuns {
  const texts = new Map(Object.entries(runs));
  const listeners = new Set<(runs: readonly string[]) => void>();
  return {
    list: () => [...texts.keys()],
    read: async (run, view) => (texts.has(run) ? `${view}: ${texts.get(run)}` : undefined),
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    put(run, text) {
      if (text === undefined) texts.delete(run);
      else texts.set(run, text);
      for (const listener of listeners) listener([run]);
    },
  };
}
