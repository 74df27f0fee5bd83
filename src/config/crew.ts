/** The vocabulary of a crew: who works, on what, and what is in the way. */
import type { Plan, TaskId } from "../plan/plan.ts";
import type { Finding } from "../plan/problem.ts";
import type { Config, Way } from "./config.ts";
import type { EffectiveSettings } from "./effective-settings.ts";
import type { Prices } from "./prices.ts";
import type { Profiles } from "./profiles.ts";

export interface CrewSources {
  readonly plan: Plan;
  readonly config: Config;
  readonly profiles: Profiles;
  readonly settings: EffectiveSettings;
  /** Names of the drivers there are; where it is not given, drivers are not judged. */
  readonly drivers?: readonly string[];
}

export interface Crew {
  /** Those that can work, by name; an agent with a blocking problem is not among them. */
  readonly agents: ReadonlyMap<string, CrewAgent>;
  /** Of tasks that are not done and whose author is known. */
  readonly assignments: ReadonlyMap<TaskId, Assignment>;
  readonly problems: readonly CrewProblem[];
  /** What is as it should be and still worth saying. */
  readonly notes: readonly string[];
}

export interface Assignment {
  readonly agent: string;
  /** Nothing: the verify commands judge alone. */
  readonly auditor?: string;
  /** Who does it when those before are away, `agent` first; nothing where that one is alone. */
  readonly agents?: readonly string[];
  /** The same for `auditor`. */
  readonly auditors?: readonly string[];
}

/** Its place is in the plan or in the configuration; `placedProblems` with that text gives line and column. */
export interface CrewProblem extends Finding {
  readonly source: "plan" | "config";
}

export interface CrewAgent {
  readonly name: string;
  /** In lower case, with hyphens. */
  readonly role: string;
  readonly driver: string;
  readonly model?: string;
  readonly works?: Way;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly acp?: string;
  readonly script?: string;
  /** Of an agent of the `model` driver all that is needed, also where the configuration leaves it out. */
  readonly api?: "anthropic" | "openai";
  readonly url?: string;
  readonly key?: string;
  readonly passEnvironment?: readonly string[];
  readonly tools?: readonly string[];
  readonly timeoutMs?: number;
  /** What it is told of its role. */
  readonly instructions: string;
  /** The path of the file that says so. */
  readonly profile?: string;
  /** What models cost, where the configuration says it. */
  readonly prices?: Prices;
}
