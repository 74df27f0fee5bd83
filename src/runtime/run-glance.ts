/** Runs at a glance: each as its log says it, without holding any of them. For lists, and for who else is at work. */
import type { Seen } from "../view/liveness.ts";
import type { Files } from "../world/files.ts";
import { RunLook } from "./look-at-run.ts";
import { RunFolder } from "./run-folder.ts";

export interface RunGlance {
  readonly run: string;
  /** Wall time of its first record. */
  readonly began: number | null;
  /** Nothing where its log cannot be read. */
  readonly seen: Seen | null;
}

export interface Runs {
  readonly files: Files;
  readonly root: string;
  /** Wall time. */
  readonly now: number;
}

/** In the order of the list: the newest first. */
export async function glanceAtRuns(runs: Runs, most = Number.POSITIVE_INFINITY): Promise<RunGlance[]> {
  const glances: RunGlance[] = [];
  for (const run of RunFolder.list(runs.files, runs.root)) {
    if (glances.length >= most) break;
    const glance = await glanceAt(runs, run);
    if (glance) glances.push(glance);
  }
  return glances;
}

/** Nothing when there is no such run. */
export async function glanceAt({ files, root, now }: Runs, run: string): Promise<RunGlance | undefined> {
  const folder = RunFolder.open(files, root, run);
  if (!folder) return undefined;
  const look = new RunLook(files, folder);
  try {
    let began: number | null = null;
    for (let more = await look.read(); more.length > 0; more = await look.read())
      began ??= more[0]?.at ?? null;
    return { run, began, seen: look.seen(now) };
  } catch (error) {
    if (error instanceof Error && "code" in error) return { run, began: null, seen: null };
    throw error;
  } finally {
    look.close();
  }
}

export function isUnfinished({ seen }: RunGlance): boolean {
  return seen !== null && seen.state.status.name !== "finished";
}

/** So many runs are looked at when only others are to be mentioned: each costs the reading of its log. */
const othersMax = 10;

/** The newest of those besides `run` that somebody works at, or could go on with. */
export async function otherOpenRuns(runs: Runs, run: string): Promise<RunGlance[]> {
  const others = RunFolder.list(runs.files, runs.root).filter((one) => one !== run);
  const glances: RunGlance[] = [];
  for (const other of others.slice(0, othersMax)) {
    const glance = await glanceAt(runs, other);
    if (glance && (isUnfinished(glance) || glance.seen?.liveness.isAlive)) glances.push(glance);
  }
  return glances;
}
