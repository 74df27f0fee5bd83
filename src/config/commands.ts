/**
 * The commands that a plan and a configuration would have us run. A fresh clone brings its own: none of them is run
 * before this user has seen it once.
 */
import type { Plan } from "../plan/plan.ts";
import { canonicalJson } from "../std/canonical-json.ts";
import { sha256 } from "../world/hash.ts";
import type { Config, ConfigAgent } from "./config.ts";
import { type ModelPlace, modelPlace } from "./model-place.ts";

export interface Command {
  readonly what: "verify" | "setup" | "usage-command" | "agent";
  readonly source: "plan" | "config";
  /** A line for the shell, or a program with its arguments. */
  readonly command: string | readonly string[];
  /** The agent whose command it is. */
  readonly agent?: string;
  /** Names of variables it is given besides. */
  readonly passEnvironment?: readonly string[];
  /** Of all that matters for trusting it; where it stands does not. */
  readonly digest: string;
}

/** Each command once, in the order: setup, verify, usage, agents; the configuration's before the plan's. */
export function commandsOf({ config, plan }: { config: Config; plan: Plan }): readonly Command[] {
  const found: Omit<Command, "digest">[] = [];
  for (const [source, settings] of [
    ["config", config.settings],
    ["plan", plan.settings],
  ] as const) {
    for (const command of settings.setup ?? []) found.push({ what: "setup", source, command });
    for (const command of settings.verify ?? []) found.push({ what: "verify", source, command });
    if (settings.usageCommand !== undefined) {
      found.push({ what: "usage-command", source, command: settings.usageCommand });
    }
  }
  for (const { verify } of plan.tasks) {
    for (const command of verify) found.push({ what: "verify", source: "plan", command });
  }
  for (const agent of config.agents.values()) {
    const started = startedFor(agent);
    if (started) found.push({ what: "agent", source: "config", agent: agent.name, ...started });
  }
  const once = new Map<string, Command>();
  for (const command of found) {
    const digest = commandDigest(command);
    if (!once.has(digest)) once.set(digest, { ...command, digest });
  }
  return [...once.values()];
}

/** An agent program is the user's own; what a repository adds to it, in arguments or variables, is not. */
function startedFor(agent: ConfigAgent): Pick<Command, "command" | "passEnvironment"> | undefined {
  const { driver, command = [], args = [], url, key, passEnvironment = [] } = agent;
  if (command.length > 0) return { command: [...command, ...args], passEnvironment };
  if (url !== undefined || key !== undefined) return sentTo(modelPlace(agent), passEnvironment);
  const isProgram = driver !== undefined && driver !== "scripted" && driver !== "command";
  const isAdded = args.length > 0 || passEnvironment.length > 0;
  return isProgram && isAdded ? { command: [driver, ...args], passEnvironment } : undefined;
}

/** Nothing is started for a model, but its server gets what is at the desk, and a key. */
function sentTo({ url, key }: ModelPlace, passEnvironment: readonly string[]) {
  return {
    command: ["model", url],
    passEnvironment: [...passEnvironment, ...(key === undefined ? [] : [key])],
  };
}

/** A variable more is another matter: it may be a key. What the command is for, and who the agent is, is not. */
export function commandDigest({
  command,
  passEnvironment = [],
}: Pick<Command, "command" | "passEnvironment">): string {
  return sha256(canonicalJson({ command, environment: [...passEnvironment].sort() }));
}
