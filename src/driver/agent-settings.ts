/** What the configuration says about one agent; each driver reads what it needs. */
import type { WorkMode } from "./work-modes.ts";

export interface AgentSettings {
  readonly driver: string;
  /** Its work mode: at its desk with its own tools, or by operations alone. */
  readonly works?: WorkMode;
  readonly model?: string;
  /**
   * The program and its arguments, for the `command` driver, or the program to use for an agent program. No shell ever
   * sees them.
   */
  readonly command?: readonly string[];
  /** Extra arguments for an agent program, in addition to our own. */
  readonly args?: readonly string[];
  /** For the `scripted` driver. */
  readonly script?: string;
  /** For the `model` driver: the API of its server, its address, and the name of the variable that holds the key. */
  readonly api?: "anthropic" | "openai";
  /** An address; short names are already expanded. */
  readonly url?: string;
  readonly key?: string;
  /** For the `acp` driver: which agent it is, if its command does not show it. */
  readonly acp?: AcpAgent;
  /** Names of variables that the agent gets from our own environment. */
  readonly passEnvironment?: readonly string[];
}

/** Agents that speak ACP and that we know more about. */
export const acpAgents = ["claude", "codex", "gemini", "opencode", "pi"] as const;
export type AcpAgent = (typeof acpAgents)[number];
