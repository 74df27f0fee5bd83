/**
 * From a typed plan to what a person can say yes to: read, checked with the configuration of its repository, and bound to
 * the commit that it would begin at. What is in the way is told here.
 */
import { type Inputs, snapshotInputs } from "../config/inputs.ts";
import type { Commit } from "../git/repository.ts";
import { insideTurn } from "../runtime/agents-decide-nothing.ts";
import { type ConsideredPlan, considerPlan } from "../runtime/consider-plan.ts";
import { enclosuresText } from "../runtime/enclosures.ts";
import type { RunWorld } from "../runtime/run-world.ts";
import { planCheckDocument, planCheckText } from "../view/plan-check.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { readPlan } from "./read-plan.ts";
import type { RunMeans } from "./run-means.ts";
import { tellProblems } from "./tell-problems.ts";

export interface PreparedRun {
  readonly isReady: true;
  readonly world: RunWorld;
  readonly considered: ConsideredPlan;
  readonly inputs: Inputs;
  readonly base: Commit;
  /** What agents will not see, because they work from the commit. */
  readonly uncommitted: readonly string[];
}

export type Prepared = PreparedRun | { readonly isReady: false; readonly exit: ExitCode };

export async function prepareRun(door: Door, means: RunMeans, command: "run" | "approve"): Promise<Prepared> {
  const stopped = (code: ExitCode): Prepared => ({ isReady: false, exit: code });
  const refusal = insideTurn(means);
  if (refusal) return stopped(tellProblems(door, command, [refusal], exit.refused));
  const reading = await readPlan(door, `cox ${command}`);
  if ("problem" in reading) return stopped(tellProblems(door, command, [reading.problem], exit.usage));
  const opened = await means.openWorld(door.values.one("root") ?? ".");
  if ("problem" in opened) return stopped(tellProblems(door, command, [opened.problem], exit.notReady));
  const { world } = opened;
  const { root } = world.repository;
  const considered = considerPlan(door.files, { ...reading, ...means, root, isForRun: true });
  if (considered.isBlocked) return stopped(tellBlocked(door, considered));
  const { settings, crew, profiles } = considered;
  const enclosed = enclosuresText(considered.enclosures);
  const { commit: base } = await world.repository.head();
  const inputs = snapshotInputs({ planText: reading.text, settings, crew, profiles, base, enclosed });
  const uncommitted = await world.repository.uncommitted();
  return { isReady: true, world, considered, inputs, base, uncommitted };
}

/** The same words as `cox check` has for it. */
function tellBlocked({ terminal }: Door, { checked }: ConsideredPlan): ExitCode {
  if (terminal.json) terminal.print(`${JSON.stringify(planCheckDocument(checked))}\n`);
  else terminal.notice(planCheckText(checked, terminal.noticePaint));
  return exit.refused;
}
