/**
 * `cox run PLAN.md`: checks the plan, has it approved by a person together with the commands it will run, and drives the crew
 * until everything is done or only a person can go on.
 */

import { snapshotInputs } from "../config/inputs.ts";
import { type ConsideredPlan, considerPlan } from "../runtime/consider-plan.ts";
import type { RunWorld } from "../runtime/run-world.ts";
import { startRun } from "../runtime/start-run.ts";
import { planCheckDocument, planCheckText } from "../view/plan-check.ts";
import { insideTurn } from "./agents-decide-nothing.ts";
import { approve } from "./approval.ts";
import type { Door } from "./door.ts";
import { drive } from "./drive.ts";
import { type ExitCode, exit } from "./exit.ts";
import { readPlan } from "./read-plan.ts";
import type { RunMeans } from "./run-means.ts";
import { tellProblems } from "./tell-problems.ts";

export async function run(door: Door, means: RunMeans): Promise<ExitCode> {
  const refusal = insideTurn(means.environment);
  if (refusal) return tellProblems(door, "run", [refusal], exit.refused);
  const reading = await readPlan(door, "cox run");
  if ("problem" in reading) return tellProblems(door, "run", [reading.problem], exit.usage);
  const opened = await means.openWorld(door.values.one("root") ?? ".");
  if ("problem" in opened) return tellProblems(door, "run", [opened.problem], exit.notReady);
  const { world } = opened;

  const considered = considerPlan(door.files, {
    ...reading,
    ...means,
    root: world.repository.root,
    isForRun: true,
  });
  if (considered.isBlocked) return blocked(door, considered);
  return begin(door, means, { world, considered, planText: reading.text });
}

async function begin(
  door: Door,
  means: RunMeans,
  { world, considered, planText }: { world: RunWorld; considered: ConsideredPlan; planText: string },
): Promise<ExitCode> {
  const { settings, crew, profiles, checked } = considered;
  const { commit: base } = await world.repository.head();
  const inputs = snapshotInputs({ planText, settings, crew, profiles, base });
  const approval = await approve(door, means, { considered, inputs, root: world.repository.root });
  if (!approval.isGiven) return tellProblems(door, "run", [approval.problem], approval.exit);
  for (const note of checked.notes ?? []) door.terminal.notice(`${note}\n`);
  const open = await startRun(world, { considered, inputs, base, by: approval.by });
  return drive(door, { world, open, user: means.user });
}

/** The same words as `cox check` has for it. */
function blocked({ terminal }: Door, { checked }: ConsideredPlan): ExitCode {
  if (terminal.json) terminal.print(`${JSON.stringify(planCheckDocument(checked))}\n`);
  else terminal.notice(planCheckText(checked, terminal.noticePaint));
  return exit.refused;
}
