/** Runs at a glance: each as its log describes it, without locking any. For lists, and to find other runs in progress. */
import type { LogDamage } from "../journal/read-log.ts";
import type { Problem } from "../std/problem.ts";
import type { RunSnapshot } from "../view/status/liveness.ts";
import type { Files } from "../world/files/files.ts";
import { RunFolder } from "./folder/run-folder.ts";
import { RunLook } from "./look-at-run.ts";

export interface RunGlance {
  readonly run: string;
  /** Wall-clock time of its first record. */
  readonly began: number | null;
  /** Null if its log is damaged: the state before the damage may be long out of date. */
  readonly seen: RunSnapshot | null;
  readonly damage?: LogDamage;
  /** Problems that are not damage of the log themselves but would hide it. */
  readonly warnings: readonly Problem[];
}

export interface RunsContext {
  readonly files: Files;
  readonly root: string;
  /** Wall-clock time. */
  readonly now: number;
}

/** Newest first. */
export async function glanceAtRuns(runs: RunsContext, most = Number.POSITIVE_INFINITY): Promise<RunGlance[]> {
  const glances: RunGlance[] = [];
  for (const run of RunFolder.list(runs.files, runs.root)) {
    if (glances.length >= most) break;
    const glance = await glanceAt(runs, run);
    if (glance) glances.push(glance);
  }
  return glances;
}

/** Undefined if there is no such run. */
export async function glanceAt(
  { files, root, now }: RunsContext,
  run: string,
): Promise<RunGlance | undefined> {
  const folder = RunFolder.open(files, root, run);
  if (!folder) return undefined;
  const look = new RunLook(files, folder);
  try {
    const began = (await look.read())[0]?.at ?? null;
    const { damage, warnings } = look;
    return { run, began, warnings, ...(damage ? { seen: null, damage } : { seen: look.seen(now) }) };
  } finally {
    look.close();
  }
}

export function isUnfinished({ seen }: RunGlance): boolean {
  return seen !== null && seen.state.status.name !== "finished";
}

/** How many runs are checked when others are only mentioned; each means reading its log. */
const othersMax = 10;

/** The newest runs other than `run` that are in progress or could be resumed. */
export async function otherOpenRuns(runs: RunsContext, run: string): Promise<RunGlance[]> {
  const others = RunFolder.list(runs.files, runs.root).filter((one) => one !== run);
  const glances: RunGlance[] = [];
  for (const other of others.slice(0, othersMax)) {
    const glance = await glanceAt(runs, other);
    if (glance && (isUnfinished(glance) || glance.seen?.liveness.isAlive)) glances.push(glance);
  }
  return glances;
}
