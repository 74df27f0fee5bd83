/**
 * Turns a typed plan into something a person can approve: reads it, checks it with the configuration of its repository,
 * and binds it to the commit it would begin at. Reports what prevents the run.
 */
import { readCommandLineSettings } from "../../config/settings/command-line-settings.ts";
import { settingsOf } from "../../config/settings/effective-settings.ts";
import { type Inputs, snapshotInputs } from "../../config/trust/inputs.ts";
import type { RunWorld } from "../../runtime/run-world.ts";
import { attachmentsText } from "../../runtime/start/attachments.ts";
import {
  type ConsideredPlan,
  type ConsiderPlanOptions,
  considerPlan,
  considerWithReports,
} from "../../runtime/start/consider-plan.ts";
import { insideTurn } from "../../runtime/start/inside-turn.ts";
import { tooWideOpening } from "../../runtime/start/opened-places.ts";
import type { CommitId } from "../../std/object-id.ts";
import { planCheckDocument, planCheckText } from "../../view/approval/plan-check.ts";
import { jsonText } from "../../view/text/json-text.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { askLimit } from "./ask-limit.ts";
import { readPlan } from "./read-plan.ts";
import type { RunPorts } from "./run-ports.ts";
import { typedSettings } from "./setting-options.ts";

export interface PreparedRun {
  readonly isReady: true;
  readonly world: RunWorld;
  readonly considered: ConsideredPlan;
  readonly inputs: Inputs;
  readonly base: CommitId;
  /** Uncommitted files. Agents will not see them, because they work from the commit. */
  readonly uncommitted: readonly string[];
}

export type Prepared = PreparedRun | { readonly isReady: false; readonly exit: ExitCode };

export async function prepareRun(
  door: CommandContext,
  ports: RunPorts,
  command: "run" | "approve",
): Promise<Prepared> {
  const stopped = (code: ExitCode): Prepared => ({ isReady: false, exit: code });
  const refusal = insideTurn(ports);
  if (refusal) return stopped(tellProblems(door, command, [refusal], exit.refused));
  const commandLine = readCommandLineSettings(typedSettings(door.values));
  if (commandLine.problems.length > 0)
    return stopped(tellProblems(door, command, commandLine.problems, exit.usage));
  const reading = await readPlan(door, `cox ${command}`);
  if ("problem" in reading) return stopped(tellProblems(door, command, [reading.problem], exit.usage));
  const opened = await ports.openWorld(door.values.one("root") ?? ".");
  if ("problem" in opened) return stopped(tellProblems(door, command, [opened.problem], exit.notReady));
  const { world } = opened;
  const { root } = world.repository;
  const considering: ConsiderPlanOptions = { ...reading, ...ports, root, isForRun: true, commandLine };
  const first = await considerWithReports(door.files, considering);
  if (first.isBlocked) return stopped(tellBlocked(door, first));
  const limit = command === "run" ? await askLimit(door, first) : {};
  if ("problem" in limit) return stopped(tellProblems(door, command, [limit.problem], limit.exit));
  const considered = limit.budget
    ? considerPlan(door.files, {
        ...considering,
        commandLine: { ...commandLine, settings: { ...commandLine.settings, budget: limit.budget } },
      })
    : first;
  const { settings, crew, profiles } = considered;
  const wide = tooWideOpening(world, { also_writable: settingsOf(settings).alsoWritable ?? [] });
  if (wide) return stopped(tellProblems(door, command, [wide], exit.refused));
  const attached = attachmentsText(considered.attachments);
  const { commit: base } = await world.repository.head();
  const inputs = snapshotInputs({ planText: reading.text, settings, crew, profiles, base, attached });
  const uncommitted = await world.repository.uncommitted();
  return { isReady: true, world, considered, inputs, base, uncommitted };
}

/** Uses the same words as `cox check`. */
function tellBlocked({ terminal }: CommandContext, { checked }: ConsideredPlan): ExitCode {
  if (terminal.json) terminal.print(jsonText(planCheckDocument(checked)));
  else {
    const look = { ...terminal.size(), ascii: terminal.ascii, paint: terminal.noticePaint };
    terminal.notice(planCheckText(checked, look));
  }
  return exit.refused;
}
