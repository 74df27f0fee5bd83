/**
 * The commands that a plan and a configuration would have us run. A fresh clone brings its own: none of them is run
 * before this user has seen it once.
 */
import type { Plan } from "../plan/plan.ts";
import { canonicalJson } from "../std/canonical-json.ts";
import { sha256 } from "../world/hash.ts";
import type { Config, ConfigAgent } from "./config.ts";

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
    const { name, passEnvironment = [] } = agent;
    const command = commandOf(agent);
    if (command.length > 0)
      found.push({ what: "agent", source: "config", agent: name, command, passEnvironment });
  }
  const once = new Map<string, Command>();
  for (const command of found) {
    const digest = commandDigest(command);
    if (!once.has(digest)) once.set(digest, { ...command, digest });
  }
  return [...once.values()];
}

/** An agent program is the user's own; what a repository adds to it, in arguments or variables, is not. */
function commandOf({
  driver,
  command = [],
  args = [],
  passEnvironment = [],
}: ConfigAgent): readonly string[] {
  if (command.length > 0) return [...command, ...args];
  const isAdded = args.length > 0 || passEnvironment.length > 0;
  return driver !== undefined && driver !== "scripted" && driver !== "command" && isAdded
    ? [driver, ...args]
    : [];
}

/** A variable more is another matter: it may be a key. What the command is for, and who the agent is, is not. */
export function commandDigest({
  command,
  passEnvironment = [],
}: Pick<Command, "command" | "passEnvironment">): string {
  return sha256(canonicalJson({ command, environment: [...passEnvironment].sort() }));
}
