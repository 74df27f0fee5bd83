/**
 * `cox check PLAN.md`: what is wrong with a plan, and with the configuration it would be run with, each with its line
 * and a fix, and the plan at a glance.
 */
import { considerPlan } from "../runtime/consider-plan.ts";
import type { Problem } from "../std/problem.ts";
import { planCheckDocument, planCheckText } from "../view/plan-check.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { readPlan } from "./read-plan.ts";
import { tellProblems } from "./tell-problems.ts";

/** Where our own profiles lie, and the drivers that this version has. */
export interface CheckMeans {
  readonly packageRoot: string;
  readonly drivers: readonly string[];
  /** What would be in the way of a run in a folder. */
  repositoryProblem(root: string): Promise<Problem | undefined>;
}

export async function check(door: Door, means: CheckMeans): Promise<ExitCode> {
  const { values, signal, terminal, files } = door;
  const reading = await readPlan(door, "cox check");
  signal.throwIfAborted();
  if ("problem" in reading) return tellProblems(door, "check", [reading.problem], exit.usage);
  const place = { ...means, root: values.one("root") ?? ".", isForRun: false };
  const considered = considerPlan(files, { ...reading, ...place });
  const { isBlocked, isConfigured } = considered;
  const found = isBlocked ? undefined : await means.repositoryProblem(place.root);
  // A plan is also looked at where nobody runs it.
  const inTheWay = found?.code === "GIT_NO_REPOSITORY" && !isConfigured ? undefined : found;
  const checked = { ...considered.checked, ...(inTheWay && { inTheWay }) };
  if (terminal.json) terminal.print(`${JSON.stringify(planCheckDocument(checked))}\n`);
  else terminal.print(planCheckText(checked, terminal.paint));
  return isBlocked ? exit.refused : exit.done;
}
