/**
 * The commands that a plan and a configuration would have us run. A fresh clone brings its own, and none is run before
 * this user has seen it once.
 */
import type { Plan, Settings } from "../../plan/plan.ts";
import { canonicalJson } from "../../std/canonical-json.ts";
import { hasEffect } from "../../std/no-effect-yet.ts";
import { sha256 } from "../../world/files/hash.ts";
import { type ModelPlace, modelPlace } from "../crew/model-place.ts";
import type { Config, ConfigAgent } from "../file/config.ts";

export interface ConfiguredCommand {
  readonly what: "verify" | "setup" | "usage-command" | "agent" | "also-writable";
  readonly source: "plan" | "config" | "command line";
  /** A shell command line, or a program with its arguments. */
  readonly command: string | readonly string[];
  /** The agent that the command belongs to. */
  readonly agent?: string;
  /** Names of extra variables it is given. */
  readonly passEnvironment?: readonly string[];
  /** A digest of everything that matters for trust; the place it came from does not. */
  readonly digest: string;
}

export interface CommandSources {
  readonly config: Config;
  readonly plan: Plan;
  /** Settings typed for this run; commands that they replace are not run. */
  readonly typed?: Settings;
}

/**
 * Each command once, in the order setup, verify, usage, agents; those of the configuration before those of the plan,
 * before typed ones.
 */
export function commandsOf({ config, plan, typed = {} }: CommandSources): readonly ConfiguredCommand[] {
  const found: Omit<ConfiguredCommand, "digest">[] = [];
  for (const [source, settings] of [
    ["config", withoutTyped(config.settings, typed)],
    ["plan", withoutTyped(plan.settings, typed)],
    ["command line", typed],
  ] as const) {
    for (const command of settings.setup ?? []) found.push({ what: "setup", source, command });
    for (const command of settings.verify ?? []) found.push({ what: "verify", source, command });
    // Not a command, but what commands may change: the user must see it beforehand too.
    for (const path of settings.alsoWritable ?? [])
      found.push({ what: "also-writable", source, command: ["also-writable", path] });
    // A command that is never run needs no trust.
    if (settings.usageCommand !== undefined && hasEffect("setting", "usage-command")) {
      found.push({ what: "usage-command", source, command: settings.usageCommand });
    }
  }
  for (const { verify } of typed.verify === undefined ? plan.tasks : []) {
    for (const command of verify) found.push({ what: "verify", source: "plan", command });
  }
  for (const agent of config.agents.values()) {
    const started = startedFor(agent);
    if (started) found.push({ what: "agent", source: "config", agent: agent.name, ...started });
  }
  const once = new Map<string, ConfiguredCommand>();
  for (const command of found) {
    const digest = commandDigest(command);
    if (!once.has(digest)) once.set(digest, { ...command, digest });
  }
  return [...once.values()];
}

function withoutTyped(settings: Settings, typed: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !(name in typed)));
}

/** An agent program is the user's own; the arguments or variables that a repository adds are not. */
function startedFor(agent: ConfigAgent): Pick<ConfiguredCommand, "command" | "passEnvironment"> | undefined {
  const { driver, command = [], args = [], url, key, passEnvironment = [] } = agent;
  if (command.length > 0) return { command: [...command, ...args], passEnvironment };
  if (url !== undefined || key !== undefined) return sentTo(modelPlace(agent), passEnvironment);
  const isProgram = driver !== undefined && driver !== "scripted" && driver !== "command";
  const isAdded = args.length > 0 || passEnvironment.length > 0;
  return isProgram && isAdded ? { command: [driver, ...args], passEnvironment } : undefined;
}

/** Nothing is started for a model, but its server receives files from the desk, and a key. */
function sentTo({ url, key }: ModelPlace, passEnvironment: readonly string[]) {
  return {
    command: ["model", url],
    passEnvironment: [...passEnvironment, ...(key === undefined ? [] : [key])],
  };
}

/** An extra variable changes the digest, because it may be a key. The command's purpose and its agent do not. */
export function commandDigest({
  command,
  passEnvironment = [],
}: Pick<ConfiguredCommand, "command" | "passEnvironment">): string {
  return sha256(canonicalJson({ command, environment: [...passEnvironment].sort() }));
}
