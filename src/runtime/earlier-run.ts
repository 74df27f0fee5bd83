/**
 * Whether a plan has a run already that a new one would do again: one that somebody works at, one that could be gone on
 * with, or one that is over and whose work nobody has taken yet.
 */
import type { Approval } from "../config/inputs.ts";
import { LockHeld } from "../durable/lock.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import { sha256 } from "../world/hash.ts";
import { RunFolder } from "./run-folder.ts";
import { glanceAt, isUnfinished, type RunGlance, type Runs } from "./run-glance.ts";

export interface EarlierRun {
  readonly standing: "at-work" | "unfinished" | "finished";
  readonly glance: RunGlance;
}

export interface SoughtPlan {
  /** As it was typed. */
  readonly name: string;
  readonly approval: Approval;
}

/** Any that somebody works at; else what became of the newest. One that is finished counts where nothing has changed since. */
export async function earlierRun(runs: Runs, plan: SoughtPlan): Promise<EarlierRun | undefined> {
  let newest: RunGlance | undefined;
  for (const run of RunFolder.list(runs.files, runs.root)) {
    if (!isOfPlan(runs, run, plan)) continue;
    const glance = await glanceAt(runs, run);
    if (glance?.seen?.liveness.isAlive) return { standing: "at-work", glance };
    newest ??= glance;
  }
  if (!newest) return undefined;
  if (isUnfinished(newest)) return { standing: "unfinished", glance: newest };
  return isSameAgain(newest, plan) ? { standing: "finished", glance: newest } : undefined;
}

/** Told by two small files, since the logs of all runs may be long. */
function isOfPlan({ files, root }: Runs, run: string, { name, approval }: SoughtPlan): boolean {
  const folder = RunFolder.open(files, root, run);
  if (!folder) return false;
  try {
    const text = folder.read("plan.md");
    if (text && sha256(text) === approval.plan) return true;
    const { plan_file } = JSON.parse(decodeUtf8(folder.read("state.json") ?? new Uint8Array())) as {
      plan_file?: unknown;
    };
    return name !== "-" && typeof plan_file === "string" && plainName(plan_file) === plainName(name);
  } catch {
    // A view that is missing or spoilt names no plan.
    return false;
  } finally {
    folder.close();
  }
}

function plainName(name: string): string {
  return name.replace(/^(\.\/)+/, "");
}

function isSameAgain({ seen }: RunGlance, { approval }: SoughtPlan): boolean {
  const run = seen?.state.run;
  if (!run || seen.state.landed.length > 0) return false;
  return (
    run.plan_sha256 === approval.plan && run.config_sha256 === approval.config && run.base === approval.base
  );
}

/** As long as another one takes to begin. */
const waitMs = 10_000;

/** One beginning at a time in a repository, so that of two for one plan the second sees the first. */
export async function beginAlone<T>(
  { files, root }: Pick<Runs, "files" | "root">,
  begin: () => Promise<T>,
): Promise<T> {
  const lock = await RunFolder.lockAll(files, root, waitMs);
  if (!lock) throw new LockHeld("the beginning of a run here", "it takes longer than ten seconds");
  try {
    return await begin();
  } finally {
    lock.release();
  }
}
