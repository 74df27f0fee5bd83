/**
 * Ends processes: SIGTERM to each one found, SIGKILL after the grace period. It searches repeatedly, since a process
 * that was asked to end may still start another.
 */
import { pause } from "../time/pause.ts";
import { type ProcessRow, processRow } from "./process-table.ts";

export interface EndProcessesOptions {
  /** The processes still to be ended; called until none is left. */
  find(): readonly ProcessRow[];
  /** In milliseconds of `performance.now()`: from then on processes are killed. */
  readonly killAt: number;
}

const lookEveryMs = 20;
/** A process that survives SIGKILL this long is waiting for a disk or a driver; nothing more can be done. */
const giveUpAfterMs = 2000;

/** Returns the pids of all processes found. */
export async function endProcesses({ find, killAt }: EndProcessesOptions): Promise<number[]> {
  const asked = new Set<string>();
  const found = new Set<number>();
  for (;;) {
    const rows = find();
    if (rows.length === 0 || performance.now() > killAt + giveUpAfterMs) return [...found];
    for (const row of rows) {
      found.add(row.pid);
      if (performance.now() >= killAt) killExactly(row, "SIGKILL");
      else if (!asked.has(nameOf(row))) killExactly(row, "SIGTERM");
      asked.add(nameOf(row));
    }
    await pause(lookEveryMs);
  }
}

/** Checks the process again right before: its pid may have been reused since the table was read. */
function killExactly(row: ProcessRow, signal: "SIGTERM" | "SIGKILL"): void {
  if (processRow(row.pid)?.startTick === row.startTick) killQuietly(row.pid, signal);
}

/** A negative pid means a process group. Returns whether the signal was delivered to anybody. */
export function killQuietly(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function nameOf(row: ProcessRow): string {
  return `${row.pid} ${row.startTick}`;
}
