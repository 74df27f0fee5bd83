import { readFileSync } from "node:fs";

/** Of the processes of a run those at the end: what holds them is above, and ends by itself. */
export function programsOf(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return !/(^|\/)(unshare|setpriv|bwrap|sh)$/.test(words[0] ?? "");
    } catch {
      return false; // Ended meanwhile.
    }
  });
}
