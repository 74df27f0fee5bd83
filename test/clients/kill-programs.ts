import { readFileSync } from "node:fs";

/** Of the processes of a run those at the end: what holds them is above, and ends by itself. */
export function killPrograms(pids: readonly number[]): void {
  for (const pid of pids.filter(isProgram)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended with one before it.
    }
  }
}

function isProgram(pid: number): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return !/(^|\/)(unshare|setpriv|bwrap|sh)$/.test(words[0] ?? "");
  } catch {
    return false; // Ended meanwhile.
  }
}
