/** The vocabulary of `.coxswain/config.yaml`: what a repository says about its runs, before it is checked. */
import type { AgentSettings } from "../../driver/agent-settings.ts";
import type { Settings, Span } from "../../plan/plan.ts";
import type { PlanProblem } from "../../plan/problem.ts";
import type { Prices } from "../crew/prices.ts";

export interface Config {
  /** Known settings only; a missing one was not set. */
  readonly settings: Settings;
  /** In the order of the file. */
  readonly agents: ReadonlyMap<string, ConfigAgent>;
  /** Who plays a role, in order of preference. Roles are in lower case, with hyphens. */
  readonly roles: ReadonlyMap<string, readonly RolePlayer[]>;
  /** Prices of models; they override our own table. */
  readonly prices?: Prices;
}

/** What was refused of its settings is missing, or empty. */
export interface ConfigAgent extends Partial<AgentSettings> {
  readonly name: string;
  readonly profile?: string;
  readonly role?: string;
  /** A name for the account it is charged to: agents of one account meet its rate limits together. */
  readonly account?: string;
  /** The place of its name in the file. */
  readonly at: Span;
}

export interface RolePlayer {
  readonly agent: string;
  readonly at: Span;
}

/** Like a plan's problem: with severity, line and column, in the configuration file. */
export type ConfigProblem = PlanProblem;

export const emptyConfig: Config = { settings: {}, agents: new Map(), roles: new Map() };
