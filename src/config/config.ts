/** The vocabulary of `.coxswain/config.yaml`: what a repository says of its runs, before anybody judged it. */
import type { Settings, Span } from "../plan/plan.ts";
import type { PlanProblem } from "../plan/problem.ts";
import type { Prices } from "./prices.ts";

export interface Config {
  /** Of what is known; a setting that is absent was not said. */
  readonly settings: Settings;
  /** In the order of the file. */
  readonly agents: ReadonlyMap<string, ConfigAgent>;
  /** Who plays a role, in order of preference. Roles are in lower case, with hyphens. */
  readonly roles: ReadonlyMap<string, readonly RolePlayer[]>;
  /** Of models, before those of our own table. */
  readonly prices?: Prices;
}

export type Way = "desk" | "proposal";

export interface ConfigAgent {
  readonly name: string;
  readonly profile?: string;
  readonly role?: string;
  readonly driver?: string;
  readonly model?: string;
  /** How it works: at its desk with its own tools, or by operations alone. */
  readonly works?: Way;
  /**
   * The program and its arguments, for the `command` driver, or the program to take for an agent program; no shell ever
   * sees them. Empty: it was refused.
   */
  readonly command?: readonly string[];
  /** More arguments for an agent program. */
  readonly args?: readonly string[];
  /** For the `acp` driver: which agent it is, where its command does not show it. */
  readonly acp?: AcpAgent;
  /** For the `scripted` driver. */
  readonly script?: string;
  /** For the `model` driver: the language of its server, where that is, and the name of the variable that holds the key. */
  readonly api?: "anthropic" | "openai";
  /** An address, with the short names written out. */
  readonly url?: string;
  readonly key?: string;
  /** Names of variables that the agent is given from our own environment. */
  readonly passEnvironment?: readonly string[];
  /** Of its name in the file. */
  readonly at: Span;
}

/** Agents that speak ACP and of which more is known than that. */
export const acpAgents = ["claude", "codex", "gemini", "opencode", "pi"] as const;
export type AcpAgent = (typeof acpAgents)[number];

export interface RolePlayer {
  readonly agent: string;
  readonly at: Span;
}

/** Like a plan's: with severity, line and column, in the configuration's own file. */
export type ConfigProblem = PlanProblem;

export const emptyConfig: Config = { settings: {}, agents: new Map(), roles: new Map() };
