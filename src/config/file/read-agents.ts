/** Reads the `agents:` block of a configuration: each agent's name and what is known about it. */

import { type AcpAgent, acpAgents } from "../../driver/agent-settings.ts";
import { isAgentName } from "../../plan/read/agents.ts";
import { type EntryContext, readEntry } from "../../plan/read/entry.ts";
import type { YamlMap, YamlPair } from "../../plan/read/yaml-tree.ts";
import { isOneSlip, type Suggestions } from "../../plan/suggestions.ts";
import { present } from "../../std/present.ts";
import { oneLine, quote } from "../../std/printable.ts";
import { readArguments, readCommand } from "../crew/agent-command.ts";
import type { ConfigAgent } from "./config.ts";
import { readPlainWord } from "./plain-word.ts";
import { readApi, readKey, readUrl } from "./read-model-place.ts";

export interface ConfigReadContext extends EntryContext {
  readonly text: string;
  readonly suggestions: Suggestions;
}

/** Each is a program that somebody pays for; nobody has ever had a crew of this size. */
const agentsMax = 200;
export const agentKeys = [
  ...(["profile", "role", "driver", "model", "works"] as const),
  ...(["command", "args", "acp", "script", "api", "url", "key", "env", "account"] as const),
];
type Key = (typeof agentKeys)[number];

export function readConfigAgents(
  pair: YamlPair | undefined,
  reading: ConfigReadContext,
): ReadonlyMap<string, ConfigAgent> {
  const agents = new Map<string, ConfigAgent>();
  const { value } = pair ?? {};
  if (!value || (value.kind === "scalar" && value.text === "")) return agents;
  const { findings } = reading;
  if (value.kind !== "map") {
    const hint = "Write a name on each line, and the agent's keys below it: driver: command";
    findings.block("CONFIG_BAD_AGENTS", value.at, "agents is not a list of agents by name", hint);
    return agents;
  }
  if (value.pairs.length > agentsMax) {
    const message = `the configuration has ${value.pairs.length} agents; the limit is ${agentsMax}`;
    findings.block("LIMIT_AGENTS", value.at, message, "Leave out those that no plan names.");
  }
  for (const each of value.pairs.slice(0, agentsMax)) {
    if (each.key.toLowerCase().startsWith("x-")) continue;
    const agent = readAgent(each, reading);
    if (agent) agents.set(agent.name, agent);
  }
  return agents;
}

function readAgent(
  { key: name, name: at, value }: YamlPair,
  reading: ConfigReadContext,
): ConfigAgent | undefined {
  const { findings } = reading;
  if (!isAgentName(name)) {
    findings.block(
      "CONFIG_BAD_AGENT",
      at,
      `${quote(name, 60)} is not a valid name for an agent`,
      "Start with a letter or digit, then use letters, digits, - _ or . (at most 64 characters).",
    );
    return undefined;
  }
  // `tester:` with nothing below it: a profile of that name says everything.
  if (!value || (value.kind === "scalar" && value.text === "")) return { name, at };
  if (value.kind === "map") return { name, at, ...readFields(name, value, reading) };
  findings.block(
    "CONFIG_BAD_AGENT",
    value.at,
    `the agent ${oneLine(name, 60)} is not a list of keys`,
    `Write below ${oneLine(name, 60)}: with more blanks before it, for example: driver: command`,
  );
  return undefined;
}

function readFields(
  name: string,
  map: YamlMap,
  reading: ConfigReadContext,
): Omit<ConfigAgent, "name" | "at"> {
  const byKey = new Map<Key, YamlPair>();
  for (const pair of map.pairs) {
    const key = pair.key.toLowerCase();
    const known = agentKeys.find((one) => one === key);
    if (!known) unknownKey(name, pair, reading);
    else if (byKey.has(known)) twice(known, pair, reading);
    else byKey.set(known, pair);
  }
  const word = (key: Key) => readWord(byKey.get(key), reading);
  return present({
    profile: word("profile"),
    role: word("role"),
    driver: word("driver"),
    model: word("model"),
    works: readWay(byKey.get("works"), reading),
    acp: readAcp(byKey.get("acp"), reading),
    script: word("script"),
    command: readCommand(byKey.get("command"), reading),
    args: readArguments(byKey.get("args"), reading),
    api: readApi(byKey.get("api"), reading),
    url: readUrl(byKey.get("url"), reading),
    key: readKey(byKey.get("key"), reading),
    account: word("account"),
    passEnvironment: readNames(byKey.get("env"), reading),
  });
}

function unknownKey(
  agent: string,
  { key, name }: YamlPair,
  { findings, suggestions }: ConfigReadContext,
): void {
  if (key.toLowerCase().startsWith("x-")) return;
  const slip = agentKeys.find((known) => isOneSlip(key.toLowerCase(), known));
  const said = `${quote(key, 60)} is not a key of the agent ${oneLine(agent, 60)}`;
  if (slip !== undefined) {
    const hint = `Did you mean ${slip}? Begin notes of your own with x-.`;
    findings.block("CONFIG_FIELD_TYPO", name, `${said}; what it says would be lost`, hint);
    return;
  }
  const near = suggestions.nearest(key.toLowerCase(), agentKeys);
  findings.warn(
    "CONFIG_UNKNOWN_KEY",
    name,
    `${said}; it is kept and has no effect`,
    near
      ? `Did you mean ${near}?`
      : `An agent has: ${agentKeys.join(", ")}. Begin notes of your own with x-.`,
  );
}

function twice(key: Key, { name }: YamlPair, { findings }: ConfigReadContext): void {
  const message = `${key} is set twice, and only one can apply`;
  findings.block("CONFIG_DUPLICATE_KEY", name, message, "Leave one of them out.");
}

function readWord(pair: YamlPair | undefined, reading: ConfigReadContext): string | undefined {
  const example = pair && (examples[pair.key.toLowerCase()] ?? `${pair.key}: x`);
  return readPlainWord(pair, reading, { example: example ?? "" })?.text;
}

const examples: Readonly<Record<string, string>> = {
  profile: "profile: developer",
  role: "role: auditor",
  driver: "driver: command",
  model: "model: opus",
  works: "works: proposal",
  script: "script: crew/developer.yaml",
  account: "account: work",
};

function readWay(pair: YamlPair | undefined, reading: ConfigReadContext): ConfigAgent["works"] {
  const word = readWord(pair, reading)?.toLowerCase();
  if (word === "desk" || word === "proposal") return word;
  if (!pair || word === undefined) return undefined;
  reading.findings.block(
    "SCHEMA_RANGE",
    pair.value?.at ?? pair.name,
    `works is desk or proposal, not ${quote(word, 60)}`,
    "desk: it changes files at its desk with its own tools. proposal: only the operations of its reply count.",
  );
  return undefined;
}

function readAcp(pair: YamlPair | undefined, reading: ConfigReadContext): AcpAgent | undefined {
  const word = readWord(pair, reading)?.toLowerCase();
  const known = acpAgents.find((name) => name === word);
  if (!pair || word === undefined || known) return known;
  reading.findings.block(
    "SCHEMA_RANGE",
    pair.value?.at ?? pair.name,
    `acp must name a known agent, and ${quote(word, 60)} is not one`,
    `Write one of ${acpAgents.join(", ")}, or leave it out: any agent that speaks ACP will do.`,
  );
  return undefined;
}

/** Names only: a value in a committed file would be a secret that everybody knows. */
function readNames(pair: YamlPair | undefined, reading: ConfigReadContext): readonly string[] | undefined {
  if (!pair?.value) return undefined;
  const { findings, text } = reading;
  const hint = "Write the names of variables that the agent may see: env: [MY_API_KEY]";
  if (pair.value.kind === "map") {
    const message = "env lists names of variables; their values stay in your own environment";
    findings.block("CONFIG_BAD_ENV", pair.value.at, message, hint);
    return undefined;
  }
  const entry = readEntry(text, pair, reading);
  if (!entry) return undefined;
  const names = new Set<string>();
  for (const { text: name, at } of entry.values) {
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)) {
      findings.block("CONFIG_BAD_ENV", at, `${quote(name, 60)} is not a valid name of a variable`, hint);
    } else if (/^cox_/i.test(name)) {
      const message = `${name} is set by cox for each turn and cannot be passed on`;
      findings.block("CONFIG_BAD_ENV", at, message, "Leave it out.");
    } else names.add(name);
  }
  return [...names];
}
