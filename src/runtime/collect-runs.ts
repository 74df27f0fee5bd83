/**
 * Removes desks and refs of ended runs, except the newest few. A run that has not ended keeps everything, and so does one
 * that is started or resumed in the meantime: runs are listed while none can start, and a run is cleared only by the
 * holder of its lock.
 */
import { garbageOf } from "../git/garbage.ts";
import type { Garbage } from "../git/repository.ts";
import { RunFolder } from "./folder/run-folder.ts";
import { RunLook } from "./look-at-run.ts";
import type { RunWorld } from "./run-world.ts";
import { beginAlone } from "./start/earlier-run.ts";

export interface CollectOptions {
  /** How many ended runs to keep. */
  readonly keep: number;
  readonly dryRun: boolean;
}

export interface CollectedRuns {
  /** The runs that were kept. */
  readonly runs: readonly string[];
  /** What was removed, or would be in a dry run. */
  readonly garbage: Garbage;
  /** Everything there was before. */
  readonly before: Garbage;
}

export async function collectRuns(world: RunWorld, options: CollectOptions): Promise<CollectedRuns> {
  const { repository } = world;
  const before = await repository.findGarbage();
  // If there is nothing to remove, nothing is created either.
  if (options.dryRun || before.runs.length === 0) {
    const kept = await keptRuns(world, { ...options, dryRun: true });
    return { runs: kept.runs, garbage: garbageOf(before, unneeded(before, kept)), before };
  }
  const found = await beginAlone({ files: world.files, root: repository.root }, async () => ({
    all: await repository.findGarbage(),
    kept: await keptRuns(world, options),
  }));
  try {
    const garbage = await repository.removeGarbage(unneeded(found.all, found.kept));
    return { runs: found.kept.runs, garbage, before: found.all };
  } finally {
    for (const lock of found.kept.locks) lock.release();
  }
}

/** An idle desk may be taken by a run at any moment. */
function unneeded({ runs }: Garbage, kept: KeptRuns): string[] {
  return runs.filter((run) => (run === ".idle" ? !kept.isAnyWritten : !kept.runs.includes(run)));
}

interface KeptRuns {
  readonly runs: readonly string[];
  readonly isAnyWritten: boolean;
  /** The locks of runs that are not kept. */
  readonly locks: readonly RunLock[];
}

type RunLock = NonNullable<ReturnType<typeof RunFolder.lock>>;

/** Runs that have not ended, whatever their age, and the newest that have. The others are locked. */
async function keptRuns(world: RunWorld, { keep, dryRun }: CollectOptions): Promise<KeptRuns> {
  const runs: string[] = [];
  const locks: RunLock[] = [];
  let isAnyWritten = false;
  let over = 0;
  for (const run of RunFolder.list(world.files, world.repository.root)) {
    const { isFinished, isWritten } = await conditionOf(world, run);
    isAnyWritten ||= isWritten;
    const isOver = isFinished && !isWritten;
    if (isOver) over += 1;
    const lock = isOver && over > keep ? (dryRun ? noLock : await lockFinished(world, run)) : undefined;
    if (lock) locks.push(lock);
    else runs.push(run);
  }
  return { runs, isAnyWritten, locks };
}

const noLock: RunLock = { release() {} };

/** Undefined if somebody is working on the run, or resumed it in the meantime. */
async function lockFinished(world: RunWorld, run: string): Promise<RunLock | undefined> {
  const lock = RunFolder.lock(world.files, world.repository.root, run);
  if (!lock || (await conditionOf(world, run)).isFinished) return lock;
  lock.release();
  return undefined;
}

/** A run with a damaged log counts as not ended. */
async function conditionOf({ files, repository, clock }: RunWorld, run: string) {
  const folder = RunFolder.open(files, repository.root, run);
  if (!folder) return { isFinished: true, isWritten: false };
  const look = new RunLook(files, folder);
  try {
    await look.read();
    if (look.damage) return { isFinished: false, isWritten: true };
    const { state, liveness } = look.seen(clock.now());
    return { isFinished: state.status.name === "finished", isWritten: liveness.isAlive };
  } finally {
    look.close();
  }
}
