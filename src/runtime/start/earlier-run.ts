/**
 * Checks whether a plan already has a run that a new one would repeat: one in progress, one that could be resumed, one
 * that has ended and has not landed, or one that is done and landed.
 */
import type { Approval } from "../../config/trust/inputs.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { sha256 } from "../../world/files/hash.ts";
import { RunFolder } from "../folder/run-folder.ts";
import { glanceAt, isUnfinished, type RunGlance, type RunsContext } from "../run-glance.ts";

export interface EarlierRun {
  readonly condition: "at-work" | "unfinished" | "finished" | "landed";
  readonly glance: RunGlance;
}

export interface PlanIdentity {
  /** As typed. */
  readonly name: string;
  readonly approval: Approval;
}

/**
 * Returns a run in progress, if there is one; otherwise the state of the newest. A finished run counts only if nothing
 * has changed since; a landed one only if the plan has not changed.
 */
export async function earlierRun(runs: RunsContext, plan: PlanIdentity): Promise<EarlierRun | undefined> {
  let newest: RunGlance | undefined;
  let landed: RunGlance | undefined;
  for (const run of RunFolder.list(runs.files, runs.root)) {
    if (!isOfPlan(runs, run, plan)) continue;
    const glance = await glanceAt(runs, run);
    if (glance?.seen?.liveness.isAlive) return { condition: "at-work", glance };
    newest ??= glance;
    if (glance && isLandedAlready(glance, plan)) landed ??= glance;
  }
  if (!newest) return undefined;
  if (isUnfinished(newest)) return { condition: "unfinished", glance: newest };
  if (newest !== landed && isSameAgain(newest, plan)) return { condition: "finished", glance: newest };
  return landed && { condition: "landed", glance: landed };
}

/** Decided by two small files, because the logs of all runs may be long. */
function isOfPlan({ files, root }: RunsContext, run: string, { name, approval }: PlanIdentity): boolean {
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
    // A missing or damaged view names no plan.
    return false;
  } finally {
    folder.close();
  }
}

function plainName(name: string): string {
  return name.replace(/^(\.\/)+/, "");
}

/** Whatever was committed or configured since, the branch already contains what the plan asks for. */
function isLandedAlready({ seen }: RunGlance, { approval }: PlanIdentity): boolean {
  const run = seen?.state.run;
  return (
    run !== undefined && seen !== null && seen.state.landed.length > 0 && run.plan_sha256 === approval.plan
  );
}

function isSameAgain({ seen }: RunGlance, { approval }: PlanIdentity): boolean {
  const run = seen?.state.run;
  if (!run) return false;
  return (
    run.plan_sha256 === approval.plan && run.config_sha256 === approval.config && run.base === approval.base
  );
}

/** Long enough for another run to start. */
const waitMs = 10_000;

/**
 * Allows one run at a time to start in a repository, so that of two for the same plan the second sees the first. It also
 * keeps runs from starting while another process lists them.
 */
export async function beginAlone<T>(
  { files, root }: Pick<RunsContext, "files" | "root">,
  begin: () => Promise<T>,
): Promise<T> {
  const lock = await RunFolder.lockAll(files, root, {
    name: ".begin.lock",
    waitMs,
    where: "the beginning of a run here",
  });
  try {
    return await begin();
  } finally {
    lock.release();
  }
}
