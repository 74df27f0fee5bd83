/**
 * `cox check PLAN.md`: reports what is wrong with a plan and with the configuration it would run with, each problem
 * with its line and a fix, and shows the plan at a glance.
 */

import { readCommandLineSettings } from "../../config/settings/command-line-settings.ts";
import { considerWithReports } from "../../runtime/start/consider-plan.ts";
import type { Problem } from "../../std/problem.ts";
import { planCheckDocument, planCheckText } from "../../view/approval/plan-check.ts";
import { jsonText } from "../../view/text/json-text.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { readPlan } from "./read-plan.ts";
import { typedSettings } from "./setting-options.ts";

/** The folder of our own profiles, and the drivers of this version. */
export interface CheckPorts {
  readonly packageRoot: string;
  readonly drivers: readonly string[];
  /** What would prevent a run in a folder. */
  repositoryProblem(root: string): Promise<Problem | undefined>;
}

export async function check(door: CommandContext, ports: CheckPorts): Promise<ExitCode> {
  const { values, signal, terminal, files } = door;
  const commandLine = readCommandLineSettings(typedSettings(values));
  if (commandLine.problems.length > 0) return tellProblems(door, "check", commandLine.problems, exit.usage);
  const reading = await readPlan(door, "cox check");
  signal.throwIfAborted();
  if ("problem" in reading) return tellProblems(door, "check", [reading.problem], exit.usage);
  const place = { ...ports, root: values.one("root") ?? ".", isForRun: false, commandLine };
  const considered = await considerWithReports(files, { ...reading, ...place });
  const { isBlocked, isConfigured } = considered;
  const found = isBlocked ? undefined : await ports.repositoryProblem(place.root);
  // A plan can also be checked in a place where nobody runs it.
  const inTheWay = found?.code === "GIT_NO_REPOSITORY" && !isConfigured ? undefined : found;
  const checked = { ...considered.checked, ...(inTheWay && { inTheWay }) };
  if (terminal.json) terminal.print(jsonText(planCheckDocument(checked)));
  else terminal.print(planCheckText(checked, { ...terminal.size(), ...terminal }));
  return isBlocked ? exit.refused : exit.done;
}
