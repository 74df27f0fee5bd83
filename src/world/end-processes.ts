/**
 * Asks processes to end, then makes them: SIGTERM to each that is found, SIGKILL after the grace, looking again and
 * again, since one that is asked may still start another.
 */
import { pause } from "./pause.ts";
import { type ProcessRow, processRow } from "./process-table.ts";

export interface Ending {
  /** Who is still to be ended: asked until nobody is left. */
  find(): readonly ProcessRow[];
  /** In milliseconds of `performance.now()`: from then on they are killed. */
  readonly killAt: number;
}

const lookEveryMs = 20;
/** A process that outlives SIGKILL this long waits for a disk or a driver; nothing more can be done. */
const giveUpAfterMs = 2000;

/** Answers with all that were found. */
export async function endProcesses({ find, killAt }: Ending): Promise<number[]> {
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

/** Looked at once more right before: its number may have gone to another since the table was read. */
function killExactly(row: ProcessRow, signal: "SIGTERM" | "SIGKILL"): void {
  if (processRow(row.pid)?.startTick === row.startTick) killQuietly(row.pid, signal);
}

/** A negative number is a group. Whether anybody was there to get the signal. */
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
