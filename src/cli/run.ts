/**
 * `cox run PLAN.md`: checks the plan, has it approved by a person together with the commands it will run, and drives the crew
 * until everything is done or only a person can go on.
 */
import { startRun } from "../runtime/start-run.ts";
import { approve } from "./approval.ts";
import type { Door } from "./door.ts";
import { drive } from "./drive.ts";
import type { ExitCode } from "./exit.ts";
import { prepareRun } from "./prepare-run.ts";
import type { RunMeans } from "./run-means.ts";
import { tellProblems } from "./tell-problems.ts";

export async function run(door: Door, means: RunMeans): Promise<ExitCode> {
  const prepared = await prepareRun(door, means, "run");
  if (!prepared.isReady) return prepared.exit;
  const { world, considered, inputs, base } = prepared;
  const approval = await approve(door, means, { considered, inputs, root: world.repository.root });
  if (!approval.isGiven) return tellProblems(door, "run", [approval.problem], approval.exit);
  for (const note of considered.checked.notes ?? []) door.terminal.notice(`${note}\n`);
  const open = await startRun(world, { considered, inputs, base, by: approval.by });
  return drive(door, { world, open, user: means.user });
}
