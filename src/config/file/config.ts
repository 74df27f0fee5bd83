/** The vocabulary of `.coxswain/config.yaml`: what a repository says about its runs, before it is checked. */
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

export type WorkMode = "desk" | "proposal";

export interface ConfigAgent {
  readonly name: string;
  readonly profile?: string;
  readonly role?: string;
  readonly driver?: string;
  readonly model?: string;
  /** Its work mode: at its desk with its own tools, or by operations alone. */
  readonly works?: WorkMode;
  /**
   * The program and its arguments, for the `command` driver, or the program to use for an agent program. No shell ever
   * sees them. Empty if it was refused.
   */
  readonly command?: readonly string[];
  /** More arguments for an agent program. */
  readonly args?: readonly string[];
  /** For the `acp` driver: which agent it is, if its command does not show it. */
  readonly acp?: AcpAgent;
  /** For the `scripted` driver. */
  readonly script?: string;
  /** For the `model` driver: the API of its server, its address, and the name of the variable that holds the key. */
  readonly api?: "anthropic" | "openai";
  /** An address; short names are already expanded. */
  readonly url?: string;
  readonly key?: string;
  /** Names of variables that the agent gets from our own environment. */
  readonly passEnvironment?: readonly string[];
  /** A name for the account it is charged to: agents of one account meet its rate limits together. */
  readonly account?: string;
  /** The place of its name in the file. */
  readonly at: Span;
}

/** Agents that speak ACP and that we know more about. */
export const acpAgents = ["claude", "codex", "gemini", "opencode", "pi"] as const;
export type AcpAgent = (typeof acpAgents)[number];

export interface RolePlayer {
  readonly agent: string;
  readonly at: Span;
}

/** Like a plan's problem: with severity, line and column, in the configuration file. */
export type ConfigProblem = PlanProblem;

export const emptyConfig: Config = { settings: {}, agents: new Map(), roles: new Map() };
