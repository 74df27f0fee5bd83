/** Programs as Node starts them, and the processes of this machine. */
import { endProcesses, killQuietly } from "./end-processes.ts";
import {
  lineage,
  type ProcessRow,
  processRow,
  processTable,
  startedAs,
  wasStartedWith,
} from "./process-table.ts";
import type { Processes, ProcessIdentity } from "./processes.ts";
import { startProgram } from "./start-program.ts";

/** Of what a killed coordinator left behind nobody waits for an answer. */
const leftoverGraceMs = 2000;

export const nodeProcesses: Processes = {
  start: startProgram,

  endMarked({ name, value }, known = []) {
    const spared = lineage();
    const isMeant = (row: ProcessRow) =>
      !row.isZombie &&
      !spared.has(row.pid) &&
      (known.some((identity) => isOf(row, identity)) || wasStartedWith(row.pid, `${name}=${value}`));
    return endProcesses({
      find: () => processTable().filter(isMeant),
      killAt: performance.now() + leftoverGraceMs,
    });
  },

  isAlive(identity) {
    const row = processRow(identity.pid);
    if (row) return !row.isZombie && startedAs(row) === identity.started;
    return isWallTime(identity) && killQuietly(identity.pid, 0);
  },
};

/** The process itself, or one of the group it leads: as long as the leader is there the group is no other's. */
function isOf(row: ProcessRow, identity: ProcessIdentity): boolean {
  if (row.pid !== identity.pid && row.group !== identity.pid) return false;
  const leader = processRow(identity.pid);
  return leader !== undefined && startedAs(leader) === identity.started;
}

function isWallTime(identity: ProcessIdentity): boolean {
  return identity.started.startsWith("wall:");
}
