/**
 * An agent profile: a Markdown file whose front matter describes the agent and whose text is its instructions.
 *
 * The front matter is that of Claude Code's agent files, so those can be used unchanged; our own settings are below
 * `x-cox`. Files written for Claude Code are never refused: it reads them more loosely than YAML allows, and they are not
 * ours to correct.
 */

import type { Span } from "../../plan/plan.ts";
import { PlanFindings, placedProblems } from "../../plan/problem.ts";
import { isAgentName } from "../../plan/read/agents.ts";
import { readEntry, type SettingEntry } from "../../plan/read/entry.ts";
import { plainKey } from "../../plan/read/field.ts";
import { findFrontMatter } from "../../plan/read/front-matter.ts";
import { readYamlMap, type YamlPair, type YamlSource } from "../../plan/read/yaml-tree.ts";
import { Suggestions } from "../../plan/suggestions.ts";
import { readDuration } from "../../plan/value-readers.ts";
import { hasEffect, noEffectWords } from "../../std/no-effect-yet.ts";
import { present } from "../../std/present.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { ConfigProblem } from "../file/config.ts";

/** Whose file it is: the project's (`.coxswain/agents`), Claude Code's (`.claude/agents`) or one of ours. */
export type ProfileOrigin = "project" | "claude" | "shipped";

export interface Profile {
  readonly name: string;
  readonly origin: ProfileOrigin;
  /** The path of the file, as a person would name it. */
  readonly path: string;
  readonly description: string;
  /** The agent program's own tools that it may use; missing if not specified. */
  readonly tools?: readonly string[];
  readonly model?: string;
  readonly role: string;
  readonly driver?: string;
  readonly timeoutMs?: number;
  readonly capabilities: readonly string[];
  readonly keywords: readonly string[];
  readonly requestTypes: readonly string[];
  /** The text below the front matter. */
  readonly instructions: string;
  /** The whole file: a run stores it, and its digest is made from it. */
  readonly text: string;
}

/** The code of the warning that a profile's key has no effect. */
export const profileNoEffect = "PROFILE_NO_EFFECT";

export interface ProfileFile {
  readonly origin: ProfileOrigin;
  readonly path: string;
  readonly text: string;
}

const source: YamlSource = {
  prefix: "PROFILE",
  name: "the front matter",
  limitCode: "LIMIT_FRONT_MATTER",
};

export function readProfile(file: ProfileFile): {
  readonly profile: Profile;
  readonly problems: readonly ConfigProblem[];
} {
  const { text, origin, path } = file;
  const findings = new PlanFindings();
  const { place, end } = findFrontMatter(text, { source, findings });
  const pairs = place ? (readYamlMap(text, place.yaml, { source, findings })?.pairs ?? []) : [];
  const isLoose = origin === "claude" && findings.found.some(({ severity }) => severity === "blocking");
  const said =
    isLoose && place ? looseEntries(text, place.yaml) : readEntries(text, pairs, profileKeys, findings);
  const own = isLoose ? undefined : pairs.find(({ key }) => plainKey(key) === "x-cox");
  const extra = readExtra(text, own, findings);
  warnOfNoEffect([...said, ...extra], findings);
  const fallback = (path.split("/").at(-1) ?? "").replace(/\.md$/i, "");
  const named = oneOf(said.get("name"));
  const name = named === undefined || !isAgentName(named) ? fallback : named;
  if (named !== undefined && name !== named) badName(named, said.get("name")?.value, findings);
  const model = oneOf(said.get("model"));
  const profile: Profile = {
    name,
    origin,
    path,
    description: oneOf(said.get("description")) ?? "",
    ...present({
      tools: said.has("tools") ? listOf(said.get("tools")) : undefined,
      // Claude Code's word for "whatever the session uses".
      model: model === "inherit" ? undefined : model,
      driver: oneOf(extra.get("driver")),
      timeoutMs: readTimeout(extra.get("timeout"), findings),
    }),
    role: plainKey(oneOf(extra.get("role")) ?? (name === "auditor" ? "auditor" : "developer")),
    capabilities: listOf(extra.get("capabilities")),
    keywords: listOf(extra.get("keywords")),
    requestTypes: listOf(extra.get("request-types")),
    instructions: text.slice(end).trim(),
    text,
  };
  return { profile, problems: problemsOf(file, findings) };
}

/** The keys that are read: at the top level, among other programs' keys, and below `x-cox`. */
export const profileKeys: readonly string[] = ["name", "description", "tools", "model"];
export const extraKeys: readonly string[] = [
  "role",
  "driver",
  "timeout",
  "capabilities",
  "keywords",
  "request-types",
];
type Entries = ReadonlyMap<string, SettingEntry>;

/** Other programs put their own keys there, of any shape. */
function readEntries(
  text: string,
  pairs: readonly YamlPair[],
  keys: readonly string[],
  findings: PlanFindings,
): Entries {
  const entries = new Map<string, SettingEntry>();
  for (const pair of pairs) {
    const key = plainKey(pair.key);
    const entry = keys.includes(key) ? readEntry(text, pair, { source, findings }) : undefined;
    if (entry && !entries.has(key)) entries.set(key, entry);
  }
  return entries;
}

/** Reads `key: anything` lines, as Claude Code does, if the whole is not valid YAML. */
function looseEntries(text: string, { start, end }: Span): Entries {
  const entries = new Map<string, SettingEntry>();
  let at = start;
  for (const line of text.slice(start, end).split("\n")) {
    const [, key = "", words = ""] = /^([A-Za-z_-]{1,40}):[ \t]*(.*?)\s*$/.exec(line) ?? [];
    const span = { start: at, end: at + line.length };
    at += line.length + 1;
    if (!profileKeys.includes(key) || words === "" || entries.has(key)) continue;
    const values = [{ text: words, at: span }];
    entries.set(key, { key, name: span, value: span, values, isList: false });
  }
  return entries;
}

function readExtra(text: string, pair: YamlPair | undefined, findings: PlanFindings): Entries {
  const { value } = pair ?? {};
  if (!value || (value.kind === "scalar" && value.text === "")) return new Map();
  if (value.kind !== "map") {
    const hint = "Write below x-cox: with two more blanks before it, for example: role: auditor";
    findings.block("PROFILE_BAD_YAML", value.at, "x-cox is not a list of settings", hint);
    return new Map();
  }
  const suggestions = new Suggestions();
  const offered = extraKeys.filter((key) => hasEffect("profile key", key));
  for (const { key, name } of value.pairs) {
    const plain = plainKey(key);
    if (plain.startsWith("x-") || extraKeys.includes(plain)) continue;
    const near = suggestions.nearest(plain, offered);
    findings.warn(
      "PROFILE_UNKNOWN_KEY",
      name,
      `there is no ${quote(key, 60)} below x-cox; it has no effect`,
      near ? `Did you mean ${near}?` : `There are: ${offered.join(", ")}.`,
    );
  }
  return readEntries(text, value.pairs, extraKeys, findings);
}

function warnOfNoEffect(entries: readonly (readonly [string, SettingEntry])[], findings: PlanFindings): void {
  for (const [key, { name }] of entries) {
    const warning = noEffectWords("profile key", key);
    if (warning) findings.warn(profileNoEffect, name, warning.message, warning.hint);
  }
}

function oneOf(entry: SettingEntry | undefined): string | undefined {
  const word = entry?.values[0]?.text.trim() ?? "";
  return word === "" ? undefined : word;
}

/** A list, or words separated by commas. */
function listOf(entry: SettingEntry | undefined): readonly string[] {
  const words = entry?.values.flatMap(({ text }) => (entry.isList ? [text] : text.split(","))) ?? [];
  return [...new Set(words.map((word) => word.trim()).filter((word) => word !== ""))];
}

function readTimeout(entry: SettingEntry | undefined, findings: PlanFindings): number | undefined {
  const word = oneOf(entry);
  if (!entry || word === undefined) return undefined;
  const reading = readDuration(word);
  if ("value" in reading) return reading.value;
  findings.block(
    "SCHEMA_RANGE",
    entry.value,
    `timeout must be ${reading.expected}, not ${quote(word, 60)}`,
    `Write for example: timeout: ${reading.example}`,
  );
  return undefined;
}

function badName(named: string, at: Span | undefined, findings: PlanFindings): void {
  findings.block(
    "PROFILE_BAD_NAME",
    at ?? { start: 0, end: 1 },
    `${quote(named, 60)} is not a valid name for an agent`,
    "Start with a letter or digit, then use letters, digits, - _ or . (at most 64 characters).",
  );
}

function problemsOf({ text, origin, path }: ProfileFile, { found }: PlanFindings): ConfigProblem[] {
  return placedProblems(text, found).map((problem) => ({
    ...problem,
    path: oneLine(path),
    ...(origin === "claude" ? { severity: "warning" } : {}),
  }));
}
