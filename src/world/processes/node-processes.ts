/** Starts programs with Node, and finds and ends processes of this machine. */
import { tmpdir } from "node:os";
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
import { type SandboxOptions, startProgram } from "./start-program.ts";

/** Nobody waits for an answer from what a killed coordinator left behind. */
const leftoverGraceMs = 2000;

/** `layers` is the folder for the layers of confined programs while they run. */
export function processesWithLayers(layers: string, choose?: SandboxOptions["choose"]): Processes {
  const options = { layers, ...(choose && { choose }) };
  return { ...nodeProcesses, start: (program) => startProgram(program, options) };
}

export const nodeProcesses: Processes = {
  start: (program) => startProgram(program, { layers: tmpdir() }),

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

/**
 * The process itself, or a member of the group it leads: while the leader exists, no other group can have its number.
 */
function isOf(row: ProcessRow, identity: ProcessIdentity): boolean {
  if (row.pid !== identity.pid && row.group !== identity.pid) return false;
  const leader = processRow(identity.pid);
  return leader !== undefined && startedAs(leader) === identity.started;
}

function isWallTime(identity: ProcessIdentity): boolean {
  return identity.started.startsWith("wall:");
}
