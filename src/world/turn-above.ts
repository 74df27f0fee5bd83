/**
 * Whether we run below an agent of a run. The mark is in the environment that the agent was started with: taking it out of
 * one's own does not change that of one's ancestors.
 */
import { readFileSync } from "node:fs";

/** The turn of the nearest ancestor that carries one; nothing where there is none, or no way to look. */
export function turnAbove(): string | undefined {
  let pid: number | undefined = process.ppid;
  for (let generation = 0; pid !== undefined && pid > 1 && generation < generationsMax; generation += 1) {
    const mark = markOf(pid);
    if (mark) return mark;
    pid = parentOf(pid);
  }
  return undefined;
}

/** Deeper ones belong to something else. */
const generationsMax = 64;

const name = "COX_TURN=";

function markOf(pid: number): string | undefined {
  const variables = readProcess(pid, "environ")?.split("\0") ?? [];
  return variables.find((one) => one.startsWith(name))?.slice(name.length);
}

function parentOf(pid: number): number | undefined {
  // The name, in brackets, may hold anything; the parent stands behind the last of them.
  const stat = readProcess(pid, "stat");
  const parent = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
  return parent === undefined ? undefined : Number(parent);
}

function readProcess(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    // It ended meanwhile, is somebody else's, or there is no such folder on this system.
    return undefined;
  }
}
