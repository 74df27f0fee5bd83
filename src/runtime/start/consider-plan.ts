/** Checks a plan together with the configuration and profiles of its folder: what is wrong, and who would do what. */

import { anchorCrew } from "../../config/crew/anchor-crew.ts";
import type { Crew, CrewProblem } from "../../config/crew/crew.ts";
import { agentKind } from "../../config/crew/crew.ts";
import { profileNoEffect } from "../../config/crew/profile.ts";
import { loadProfiles, type Profiles } from "../../config/crew/profiles.ts";
import { resolveCrew } from "../../config/crew/resolve-crew.ts";
import type { Config } from "../../config/file/config.ts";
import { configPath, loadConfig } from "../../config/file/load-config.ts";
import { type CommandLineSettings, placeOfSetting } from "../../config/settings/command-line-settings.ts";
import { defaultSettings } from "../../config/settings/default-settings.ts";
import {
  type EffectiveSettings,
  effectiveSettings,
  settingsOf,
} from "../../config/settings/effective-settings.ts";
import { taskSettings } from "../../config/settings/task-settings.ts";
import { surroundingsOf } from "../../config/trust/surroundings.ts";
import { withDocumentsNow } from "../../document-store/documents-now.ts";
import { pictureOf } from "../../plan/picture.ts";
import type { PlanTask } from "../../plan/plan.ts";
import { type PlanProblem, placedProblems } from "../../plan/problem.ts";
import { parsePlan } from "../../plan/read/parse.ts";
import { loadWorkflows } from "../../task/workflow/load-workflows.ts";
import type { CheckedFile, CheckedPlan } from "../../view/approval/plan-check.ts";
import type { Files } from "../../world/files/files.ts";
import { agentsThatReport } from "../agents-that-report.ts";
import type { Attachments } from "./attachments.ts";
import { collectAttachments } from "./collect-attachments.ts";

export interface ConsiderPlanOptions {
  readonly text: string;
  /** The name of the plan's file, for messages. */
  readonly name: string;
  readonly root: string;
  /** The folder with our own profiles and workflows. */
  readonly packageRoot: string;
  /** The drivers that this version has. */
  readonly drivers: readonly string[];
  /** Settings typed on the command line, for this run. */
  readonly commandLine?: CommandLineSettings;
  /** The plan is to be run, not only looked at: then a missing agent is a problem even if nothing is configured. */
  readonly isForRun: boolean;
  /** Agents that are known to report their cost. */
  readonly reporting?: ReadonlySet<string>;
}

export interface ConsideredPlan {
  readonly commandLine: CommandLineSettings;
  readonly checked: CheckedPlan;
  readonly config: Config;
  readonly profiles: Profiles;
  readonly settings: EffectiveSettings;
  readonly crew: Crew;
  /** The attachments of its open tasks. */
  readonly attachments: Attachments;
  readonly isBlocked: boolean;
  /** There is a configuration, so somebody intends to run plans here. */
  readonly isConfigured: boolean;
}

/** Like `considerPlan`, but without warnings for agents that reported their cost the last time they worked here. */
export async function considerWithReports(
  files: Files,
  considering: ConsiderPlanOptions,
): Promise<ConsideredPlan> {
  const considered = considerPlan(files, considering);
  if (!considered.crew.uncounted) return considered;
  const kinds = new Map([...considered.crew.agents].map(([name, agent]) => [name, agentKind(agent)]));
  const reporting = await agentsThatReport(files, { root: considering.root, kinds });
  return reporting.size === 0 ? considered : considerPlan(files, { ...considering, reporting });
}

export function considerPlan(files: Files, considering: ConsiderPlanOptions): ConsideredPlan {
  const { text, name, root, packageRoot, drivers, isForRun, reporting } = considering;
  const { commandLine = nothingTyped } = considering;
  const loaded = loadConfig(files, { root });
  const { profiles, problems: profileProblems } = loadProfiles(files, { root, packageRoot });
  const { config } = loaded;
  // A plan may be checked where nobody runs it, so agents are checked only if a configuration defines them.
  const isJudged = isForRun || loaded.text !== undefined;
  const { verify, audit, title } = commandLine.settings;
  const parsed = parsePlan(text, {
    ...(isJudged ? surroundingsOf({ config, profiles }) : {}),
    ...((verify !== undefined || audit === "none") && { canVerify: true }),
  });
  const plan = title === undefined ? parsed.plan : { ...parsed.plan, title };
  const settings = effectiveSettings({
    defaults: defaultSettings,
    config: config.settings,
    plan: plan.settings,
    commandLine: commandLine.settings,
  });
  const resolved = resolveCrew({
    ...{ plan, config, profiles, settings },
    ...(isJudged ? { drivers } : {}),
    ...(reporting && { reporting }),
  });
  const crew = anchorCrew(files, root, resolved);
  const texts = { plan: text, config: loaded.text ?? "" };
  const workflows = loadWorkflows(files, { root, packageRoot });
  const { attachments, problems: ofAttachments } = withDocumentsNow({ files, root }, (library) =>
    collectAttachments({ plan, texts, settings, workflows, library }),
  );
  const crewProblems = isJudged
    ? crew.problems
    : crew.problems.filter(({ code }) => code === "ROLE_CONFLICT");
  const found = [...crewProblems, ...ofAttachments];
  const around = [
    commandLineFindings(commandLine, found),
    configFindings(loaded, found),
    ...profileFindings(profileProblems, crew),
  ];
  const problems = inOrder([...parsed.problems, ...placedProblems(text, from("plan", found))]);
  const checked = {
    plan,
    text,
    name,
    problems,
    picture: pictureOf(plan),
    around,
    notes: isJudged ? crew.notes : [],
    agents: crew.assignments,
    ...(isJudged && { verifies: verifiesOf(plan.tasks, settings) }),
    slots: settingsOf(settings).activeDevelopers,
  };
  const all = [...problems, ...around.flatMap((file) => file.problems)];
  const isBlocked = all.some(({ severity }) => severity === "blocking");
  const isConfigured = loaded.text !== undefined;
  return { commandLine, checked, config, profiles, settings, crew, attachments, isBlocked, isConfigured };
}

function commandLineFindings(commandLine: CommandLineSettings, found: readonly CrewProblem[]): CheckedFile {
  const { text } = commandLine;
  const problems = from("command line", found).map(({ setting = "", ...one }) => ({
    ...one,
    at: placeOfSetting(commandLine, setting),
  }));
  return { name: "command line", text, problems: placedProblems(text, problems) };
}

function configFindings(
  { text = "", problems }: ReturnType<typeof loadConfig>,
  found: readonly CrewProblem[],
): CheckedFile {
  const placed = placedProblems(text, from("config", found)).map((one) => ({ ...one, path: configPath }));
  return { name: configPath, text, problems: inOrder([...problems, ...placed]) };
}

/**
 * Claude Code's profile files contain settings meant only for it. Only for the files used here do we report what has no
 * effect.
 */
function profileFindings(problems: readonly PlanProblem[], { agents }: Crew): CheckedFile[] {
  const used = new Set([...agents.values()].map(({ profile }) => profile));
  return problems
    .filter(
      ({ code, path = "" }) => code !== profileNoEffect || !path.startsWith(".claude/") || used.has(path),
    )
    .map((problem) => ({ name: problem.path ?? "", text: "", problems: [problem] }));
}

function from(source: CrewProblem["source"], found: readonly CrewProblem[]): CrewProblem[] {
  return found.filter((problem) => problem.source === source);
}

function verifiesOf(
  tasks: readonly PlanTask[],
  settings: EffectiveSettings,
): ReadonlyMap<string, readonly string[]> {
  return new Map(tasks.map((task) => [task.id, taskSettings(task, settings).verify]));
}

const nothingTyped: CommandLineSettings = { settings: {}, text: "" };

function inOrder(problems: readonly PlanProblem[]): PlanProblem[] {
  return problems.toSorted((one, other) => one.line - other.line || one.column - other.column);
}
