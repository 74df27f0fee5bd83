/** The vocabulary of a crew: who works, on what, and what problems there are. */
import type { AgentSettings } from "../../driver/agent-settings.ts";
import type { Plan, TaskId } from "../../plan/plan.ts";
import type { PlanFinding } from "../../plan/problem.ts";
import type { Budget } from "../../plan/value-readers.ts";
import { oneLine } from "../../std/printable.ts";
import type { Config } from "../file/config.ts";
import type { EffectiveSettings } from "../settings/effective-settings.ts";
import type { Prices } from "./prices.ts";
import type { Profiles } from "./profiles.ts";

export interface CrewSources {
  readonly plan: Plan;
  readonly config: Config;
  readonly profiles: Profiles;
  readonly settings: EffectiveSettings;
  /** Names of the available drivers; if missing, drivers are not checked. */
  readonly drivers?: readonly string[];
  /** Agents that are known to report their cost. */
  readonly reporting?: ReadonlySet<string>;
}

export interface Crew {
  /** Agents that can work, by name. An agent with a blocking problem is not included. */
  readonly agents: ReadonlyMap<string, CrewAgent>;
  /** For open tasks whose author is known. */
  readonly assignments: ReadonlyMap<TaskId, Assignment>;
  readonly problems: readonly CrewProblem[];
  /** Not a problem, but worth saying. */
  readonly notes: readonly string[];
  /** A budget in money that could not end the run. */
  readonly uncounted?: UncountedBudget;
}

/** A budget in money that could not end the run, because the cost of an agent it covers is unknown. */
export interface UncountedBudget {
  /** The budget of the run, or of the task below. */
  readonly budget: Budget;
  readonly task?: TaskId;
  /** The first agent with unknown cost, and how many more there are. */
  readonly agent: string;
  readonly others: number;
  readonly why: string;
  /** A sensible limit of turns. */
  readonly turns: number;
}

export interface Assignment {
  readonly agent: string;
  /** If missing, the verify commands judge alone. */
  readonly auditor?: string;
  /** The fallback order, starting with `agent`; missing if there is nobody else. */
  readonly agents?: readonly string[];
  /** The same for `auditor`. */
  readonly auditors?: readonly string[];
}

/**
 * Its place is in the plan, the configuration or the command line; `placedProblems` with that text gives line and column.
 */
export interface CrewProblem extends PlanFinding {
  readonly source: "plan" | "config" | "command line";
  /** For the command line: the setting it is about. */
  readonly setting?: string;
}

/** For the `model` driver, `api`, `url` and `key` are complete, even where the configuration leaves something out. */
export interface CrewAgent extends AgentSettings {
  readonly name: string;
  /** In lower case, with hyphens. */
  readonly role: string;
  /** The account it is charged to, if the configuration names it. */
  readonly account?: string;
  readonly tools?: readonly string[];
  readonly timeoutMs?: number;
  /** The agent's instructions for its role. */
  readonly instructions: string;
  /** The path of the file with these instructions. */
  readonly profile?: string;
  /** Prices of models, if the configuration has any. */
  readonly prices?: Prices;
}

/**
 * What an agent is, whatever its name: its model, or its program if the model is not known. Two agents of one kind think
 * alike, so one should not judge the other's work.
 */
export function agentKind({ driver, model, command, script }: CrewAgent): string {
  const what = model ?? command?.join(" ") ?? script;
  return oneLine(what === undefined ? driver : `${driver} ${what}`, 200);
}
