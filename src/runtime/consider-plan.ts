/** A plan with the configuration and the profiles of the folder it would be run in: what is wrong with them, who would do what. */

import { anchorCrew } from "../config/anchor-crew.ts";
import type { Config } from "../config/config.ts";
import type { Crew, CrewProblem } from "../config/crew.ts";
import { defaultSettings } from "../config/default-settings.ts";
import { type EffectiveSettings, effectiveSettings, settingsOf } from "../config/effective-settings.ts";
import { configPath, loadConfig } from "../config/load-config.ts";
import { loadProfiles, type Profiles } from "../config/profiles.ts";
import { resolveCrew } from "../config/resolve-crew.ts";
import { surroundingsOf } from "../config/surroundings.ts";
import { withDocumentsNow } from "../document-store/documents-now.ts";
import { parsePlan } from "../plan/parse.ts";
import { pictureOf } from "../plan/picture.ts";
import type { Settings } from "../plan/plan.ts";
import { type PlanProblem, placedProblems } from "../plan/problem.ts";
import { loadWorkflows } from "../task/load-workflows.ts";
import type { CheckedPlan } from "../view/plan-check.ts";
import type { Files } from "../world/files.ts";
import { enclose } from "./enclose.ts";
import type { Enclosures } from "./enclosures.ts";

export interface Considering {
  readonly text: string;
  /** Of the plan's file, for messages. */
  readonly name: string;
  readonly root: string;
  /** Where our own profiles and workflows lie. */
  readonly packageRoot: string;
  /** The drivers that this version has. */
  readonly drivers: readonly string[];
  readonly commandLine?: Settings;
  /** To be run, not only looked at: a missing agent is a problem then, also where nothing is configured. */
  readonly isForRun: boolean;
}

export interface ConsideredPlan {
  readonly checked: CheckedPlan;
  readonly config: Config;
  readonly profiles: Profiles;
  readonly settings: EffectiveSettings;
  readonly crew: Crew;
  /** What goes with its open tasks. */
  readonly enclosures: Enclosures;
  readonly isBlocked: boolean;
  /** Somebody means to run plans here. */
  readonly isConfigured: boolean;
}

export function considerPlan(files: Files, considering: Considering): ConsideredPlan {
  const { text, name, root, packageRoot, drivers, commandLine, isForRun } = considering;
  const loaded = loadConfig(files, { root });
  const { profiles, problems: profileProblems } = loadProfiles(files, { root, packageRoot });
  const { config } = loaded;
  // A plan is also looked at where nobody runs it: agents are judged where a configuration says who they are.
  const isJudged = isForRun || loaded.text !== undefined;
  const parsed = parsePlan(text, isJudged ? surroundingsOf({ config, profiles }) : {});
  const { plan } = parsed;
  const said = { config: config.settings, plan: plan.settings, ...(commandLine && { commandLine }) };
  const settings = effectiveSettings({ defaults: defaultSettings, ...said });
  const resolved = resolveCrew({ plan, config, profiles, settings, ...(isJudged ? { drivers } : {}) });
  const crew = anchorCrew(files, root, resolved);
  const texts = { plan: text, config: loaded.text ?? "" };
  const workflows = loadWorkflows(files, { root, packageRoot });
  const enclosed = withDocumentsNow({ files, root }, (library) =>
    enclose({ plan, texts, settings, workflows, library }),
  );
  const told = isJudged ? crew.problems : crew.problems.filter(({ code }) => code === "ROLE_CONFLICT");
  const of = (source: CrewProblem["source"]) =>
    [...told, ...enclosed.problems].filter((problem) => problem.source === source);
  const ofConfig = placedProblems(loaded.text ?? "", of("config")).map((one) => ({
    ...one,
    path: configPath,
  }));
  const around = [
    { name: configPath, text: loaded.text ?? "", problems: inOrder([...loaded.problems, ...ofConfig]) },
    ...profileProblems.map((problem) => ({ name: problem.path ?? "", text: "", problems: [problem] })),
  ];
  const problems = inOrder([...parsed.problems, ...placedProblems(text, of("plan"))]);
  const all = [...problems, ...around.flatMap((file) => file.problems)];
  const notes = isJudged ? crew.notes : [];
  const checked = {
    plan,
    text,
    name,
    problems,
    picture: pictureOf(plan),
    around,
    notes,
    agents: crew.assignments,
    slots: settingsOf(settings).activeDevelopers,
  };
  const isConfigured = loaded.text !== undefined;
  const isBlocked = all.some(({ severity }) => severity === "blocking");
  return {
    checked,
    config,
    profiles,
    settings,
    crew,
    enclosures: enclosed.enclosures,
    isBlocked,
    isConfigured,
  };
}

function inOrder(problems: readonly PlanProblem[]): PlanProblem[] {
  return problems.toSorted((one, other) => one.line - other.line || one.column - other.column);
}
