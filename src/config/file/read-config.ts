/**
 * Parses the text of `.coxswain/config.yaml` and reports everything that is wrong with it.
 *
 * It never throws and never gives up: one mistake does not hide the others, and everything readable is returned. Whether
 * the named agents can work is decided by `resolveCrew`, which has the plan and the profiles.
 */
import { isWeak } from "../../plan/check/check.ts";
import { PlanFindings, placedProblems } from "../../plan/problem.ts";
import { readEntry, type SettingEntry } from "../../plan/read/entry.ts";
import { plainKey } from "../../plan/read/field.ts";
import { readYamlMap, type YamlPair, type YamlSource } from "../../plan/read/yaml-tree.ts";
import { readSettings } from "../../plan/settings.ts";
import { Suggestions } from "../../plan/suggestions.ts";
import { quote } from "../../std/printable.ts";
import type { Config, ConfigProblem, RolePlayer } from "./config.ts";
import { type ConfigReadContext, readConfigAgents } from "./read-agents.ts";
import { readPrices } from "./read-prices.ts";

export interface ReadConfig {
  readonly config: Config;
  /** In the order of the file. */
  readonly problems: readonly ConfigProblem[];
}

const source: YamlSource = { prefix: "CONFIG", name: "the configuration", limitCode: "LIMIT_CONFIG" };

export function readConfig(text: string): ReadConfig {
  const findings = new PlanFindings();
  const reading: ConfigReadContext = { text, source, findings, suggestions: new Suggestions() };
  const start = text.startsWith("\ufeff") ? 1 : 0;
  const pairs = readYamlMap(text, { start, end: text.length }, { source, findings })?.pairs ?? [];
  const entries: SettingEntry[] = [];
  const blocks = new Map<string, YamlPair>();
  for (const pair of pairs) {
    const key = plainKey(pair.key);
    if (blockKeys.includes(key)) keepBlock(key, pair, blocks, findings);
    // Users' own keys may have any shape.
    else if (!key.startsWith("x-")) {
      const entry = readEntry(text, pair, reading);
      if (entry) entries.push(entry);
    }
  }
  warnOfWeak(entries, findings);
  const config: Config = {
    settings: readSettings(entries, { ...reading, prefix: "CONFIG", otherKeys: blockKeys, isStrict: true }),
    agents: readConfigAgents(blocks.get("agents"), reading),
    roles: readRoles(blocks.get("roles"), reading),
    ...(blocks.has("prices") && { prices: readPrices(blocks.get("prices"), reading) }),
  };
  return { config, problems: placedProblems(text, findings.found) };
}

function warnOfWeak(entries: readonly SettingEntry[], findings: PlanFindings): void {
  for (const { text, at } of entries.find(({ key }) => key === "verify")?.values ?? []) {
    if (text.trim() === "" || !isWeak(text.trim())) continue;
    findings.warn(
      "CONFIG_WEAK_VERIFY",
      at,
      `the verify command ${quote(text, 60)} succeeds whatever the agent did`,
      "Write a command that fails when the work is not done; approving a plan approves this one.",
    );
  }
}

/** The blocks of a configuration that are not settings. */
export const blockKeys: readonly string[] = ["agents", "roles", "prices"];

function keepBlock(key: string, pair: YamlPair, blocks: Map<string, YamlPair>, findings: PlanFindings): void {
  if (!blocks.has(key)) blocks.set(key, pair);
  else
    findings.block(
      "CONFIG_DUPLICATE_KEY",
      pair.name,
      `${key} is set twice, and only one can apply`,
      "Put everything below one of them.",
    );
}

function readRoles(pair: YamlPair | undefined, reading: ConfigReadContext): Config["roles"] {
  const roles = new Map<string, readonly RolePlayer[]>();
  const { value } = pair ?? {};
  if (!value || (value.kind === "scalar" && value.text === "")) return roles;
  const { text, findings } = reading;
  if (value.kind !== "map") {
    const hint = "Write a role and its agents on each line: auditor: [tester, codex]";
    findings.block("CONFIG_BAD_ROLES", value.at, "roles is not a list of roles with their agents", hint);
    return roles;
  }
  for (const each of value.pairs) {
    const entry = readEntry(text, each, reading);
    const role = plainKey(each.key);
    if (!entry || role.startsWith("x-")) continue;
    if (roles.has(role)) {
      const message = `the role ${quote(role, 60)} is set twice, and only one can apply`;
      findings.block("CONFIG_DUPLICATE_KEY", each.name, message, "Put all its agents into one list.");
      continue;
    }
    const players = new Map<string, RolePlayer>();
    for (const { text: agent, at } of entry.values) {
      if (agent !== "" && !players.has(agent)) players.set(agent, { agent, at });
    }
    roles.set(role, [...players.values()]);
  }
  return roles;
}
