/**
 * Turns entries into typed settings, by one table: which settings exist, where they go, how they are read. The front
 * matter of a plan, the configuration and the command line all use it, so that a setting means the same everywhere.
 */
import { assert } from "../std/assert.ts";
import { hasEffect, noEffectWords } from "../std/no-effect-yet.ts";
import { oneLine, quote } from "../std/printable.ts";
import type { Settings } from "./plan.ts";
import type { PlanFindings } from "./problem.ts";
import type { SettingEntry } from "./read/entry.ts";
import type { YamlSource } from "./read/yaml-tree.ts";
import { isOneSlip, type Suggestions } from "./suggestions.ts";
import {
  type Reader,
  readBudget,
  readChoice,
  readCount,
  readDuration,
  readFlag,
  readPercent,
  readPlace,
  readPriority,
  readText,
  type Unread,
} from "./value-readers.ts";

type Row =
  | { readonly name: keyof Settings; readonly read: Reader<unknown> }
  /** One, or a list of them. */
  | { readonly name: keyof Settings; readonly readEach: Reader<string> };

const table: Readonly<Record<string, Row>> = {
  title: { name: "title", read: readText("TEXT") },
  "main-workflow": { name: "mainWorkflow", read: readText("WORKFLOW") },
  "active-developers": { name: "activeDevelopers", read: readCount(1, 64) },
  verify: { name: "verify", readEach: readText("COMMAND") },
  setup: { name: "setup", readEach: readText("COMMAND") },
  "also-writable": { name: "alsoWritable", readEach: readPlace },
  "usage-command": { name: "usageCommand", read: readText("COMMAND") },
  budget: { name: "budget", read: readBudget },
  audit: { name: "audit", read: readChoice("none", "required") },
  approve: { name: "approve", read: readChoice("ask", "auto") },
  schedule: { name: "schedule", read: readChoice("flow", "levels") },
  land: { name: "land", read: readChoice("ask", "auto", "never") },
  "on-question": { name: "onQuestion", read: readChoice("hold-affected", "hold-all") },
  "confirm-deletes": {
    name: "confirmDeletes",
    read: readChoice("ask", "declared", "always-allow", "never"),
  },
  "confirm-sensitive": { name: "confirmSensitive", read: readChoice("ask", "declared", "never") },
  "on-outside-change": { name: "onOutsideChange", read: readChoice("warn", "fail") },
  "verify-base": { name: "verifyBase", read: readFlag },
  "coordinator-mode": { name: "coordinatorMode", read: readChoice("on-conflict", "always", "never") },
  tick: { name: "tick", read: readFlag },
  "reply-attempts": { name: "replyAttempts", read: readCount(1, 100) },
  "turn-attempts": { name: "turnAttempts", read: readCount(1, 100) },
  "audit-attempts": { name: "auditAttempts", read: readCount(1, 100) },
  "remediation-attempts": { name: "remediationAttempts", read: readCount(1, 100) },
  "delegations-per-agent": { name: "delegationsPerAgent", read: readCount(0, 100) },
  "loop-threshold": { name: "loopThreshold", read: readCount(2, 100) },
  "usage-threshold": { name: "usageThresholdPercent", read: readPercent },
  "turn-timeout": { name: "turnTimeoutMs", read: readDuration },
  "stall-timeout": { name: "stallTimeoutMs", read: readDuration },
  "verify-timeout": { name: "verifyTimeoutMs", read: readDuration },
  "checkpoint-interval": { name: "checkpointIntervalMs", read: readDuration },
  "delegation-timeout": { name: "delegationTimeoutMs", read: readDuration },
  agent: { name: "agent", read: readText("AGENT") },
  auditor: { name: "auditor", read: readText("AGENT") },
  priority: { name: "priority", read: readPriority },
  workflow: { name: "workflow", read: readText("WORKFLOW") },
  timeout: { name: "timeoutMs", read: readDuration },
  attempts: { name: "attempts", read: readCount(1, 100) },
  failure: { name: "failure", read: readText("TEXT") },
  "escalate-to": { name: "escalateTo", read: readText("AGENT") },
};

const rows: ReadonlyMap<string, Row> = new Map(Object.entries(table));

/** The keys that are read, in our spelling. */
export const settingKeys: readonly string[] = [...rows.keys()];

/** The keys that have an effect and are offered: in help, in completions, and as options of a command. */
export const offeredSettingKeys: readonly string[] = settingKeys.filter((key) => hasEffect("setting", key));

/** How the value of a setting is written. */
export interface SettingShape {
  /** The placeholder for the value in help: `1-64`, `DURATION`, `ask|auto`. */
  readonly argument: string;
  /** The possible values, if they are few. */
  readonly choices: readonly string[];
  /** Whether several values may be given. */
  readonly isList: boolean;
}

export function settingShape(key: string): SettingShape {
  const row = rows.get(key);
  assert(row, `${key} is a setting`);
  const { argument, choices = [] } = "readEach" in row ? row.readEach : row.read;
  return { argument, choices, isList: "readEach" in row };
}

/** The spelling of a setting, by its name in the program. */
export const settingSpellings: ReadonlyMap<string, string> = new Map(
  [...rows].map(([key, { name }]) => [name, key]),
);

export interface ReadSettingsOptions {
  readonly prefix: YamlSource["prefix"];
  readonly findings: PlanFindings;
  readonly suggestions: Suggestions;
  /** Other keys that have a meaning besides the settings: for suggestions. */
  readonly otherKeys?: readonly string[];
  /** If set, a setting lost to a typo is an error; otherwise it is a warning, as in documents that are not run. */
  readonly isStrict?: boolean;
  /** How a setting is written here; `key: value` by default. */
  readonly spell?: (key: string, value: string) => string;
}

export function readSettings(entries: readonly SettingEntry[], reading: ReadSettingsOptions): Settings {
  const settings = new Map<keyof Settings, unknown>();
  const seen = new Set<string>();
  for (const entry of entries) {
    const row = rows.get(entry.key);
    if (!row) {
      if (!entry.key.startsWith("x-")) unknownSetting(entry, reading);
      continue;
    }
    if (seen.has(entry.key)) {
      const message = `${entry.key} is set twice (- and _ are the same), and only one can apply`;
      const { prefix, findings } = reading;
      findings.block(`${prefix}_DUPLICATE_KEY`, entry.name, message, "Leave one of them out.");
      continue;
    }
    seen.add(entry.key);
    const warning = noEffectWords("setting", entry.key);
    if (warning)
      reading.findings.warn(`${reading.prefix}_NO_EFFECT`, entry.name, warning.message, warning.hint);
    if ("readEach" in row) readList(entry, row, settings, reading);
    else readOne(entry, row, settings, reading);
  }
  return Object.fromEntries(settings) as Settings;
}

function readList(
  entry: SettingEntry,
  row: { readonly name: keyof Settings; readonly readEach: Reader<string> },
  settings: Map<keyof Settings, unknown>,
  reading: ReadSettingsOptions,
): void {
  const texts = entry.values.map(({ text }) => text.trim()).filter((text) => text !== "");
  const read = texts.map((text) => row.readEach(text));
  const values = read.flatMap((one) => ("value" in one ? [one.value] : []));
  const unread = read.find((one) => "expected" in one);
  if (unread) badValue(entry, unread, reading);
  if (values.length > 0) settings.set(row.name, values);
}

function readOne(
  entry: SettingEntry,
  row: { readonly name: keyof Settings; readonly read: Reader<unknown> },
  settings: Map<keyof Settings, unknown>,
  reading: ReadSettingsOptions,
): void {
  // `agent:` with no value says nothing.
  if (entry.values.length === 0 && !entry.isList) return;
  const [only] = entry.values;
  const read = entry.values.length === 1 && only ? row.read(only.text.trim()) : undefined;
  if (read && "value" in read) settings.set(row.name, read.value);
  else badValue(entry, read ?? { expected: "one plain value", example: only?.text ?? "…" }, reading);
}

function badValue(
  entry: SettingEntry,
  { expected, example }: Unread,
  { findings, spell = spelledInYaml }: ReadSettingsOptions,
): void {
  const found = entry.values
    .map(({ text }) => quote(text, 60))
    .slice(0, 3)
    .join(", ");
  findings.block(
    "SCHEMA_RANGE",
    entry.value,
    `${entry.key} must be ${expected}, not ${found === "" ? "an empty list" : found}`,
    `Write for example: ${spell(entry.key, oneLine(example, 60))}`,
  );
}

function spelledInYaml(key: string, value: string): string {
  return `${key}: ${value}`;
}

function unknownSetting({ key, name }: SettingEntry, reading: ReadSettingsOptions): void {
  const { prefix, findings, suggestions, otherKeys = [], isStrict = false } = reading;
  const known = [...offeredSettingKeys, ...otherKeys];
  const shown = quote(key, 60);
  const slip = isStrict ? known.find((one) => isOneSlip(key, one)) : undefined;
  if (slip !== undefined) {
    findings.block(
      `${prefix}_FIELD_TYPO`,
      name,
      `there is no setting ${shown}; what it says would be lost`,
      `Did you mean ${slip}? For a note of your own, write x-${oneLine(key, 60)}.`,
    );
    return;
  }
  const near = suggestions.nearest(key, known);
  findings.warn(
    `${prefix}_UNKNOWN_KEY`,
    name,
    `there is no setting ${shown}; it is kept and has no effect`,
    near
      ? `Did you mean ${near}? For a note of your own, write x-${oneLine(key, 60)}.`
      : `For a note of your own, begin the name with x-.`,
  );
}
