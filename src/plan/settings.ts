/**
 * Entries → typed settings, by one table: what there is, where it goes, how it is read. The front matter of a plan,
 * the configuration and the command line are all read by it, so that a setting means the same wherever it stands.
 */
import { oneLine, quote } from "../std/printable.ts";
import type { Entry } from "./entry.ts";
import type { Settings } from "./plan.ts";
import type { Findings } from "./problem.ts";
import { isOneSlip, type Suggestions } from "./suggestions.ts";
import {
  type Reader,
  readBudget,
  readChoice,
  readCount,
  readDuration,
  readFlag,
  readPercent,
  readPriority,
} from "./value-readers.ts";
import type { YamlSource } from "./yaml-tree.ts";

type Row =
  | { readonly name: keyof Settings; readonly read: Reader<unknown> }
  /** One command, or a list of them. */
  | { readonly name: keyof Settings; readonly isCommands: true };

const readText: Reader<string> = (text) => ({ value: text });

const table: Readonly<Record<string, Row>> = {
  title: { name: "title", read: readText },
  "main-workflow": { name: "mainWorkflow", read: readText },
  "active-developers": { name: "activeDevelopers", read: readCount(1, 64) },
  verify: { name: "verify", isCommands: true },
  setup: { name: "setup", isCommands: true },
  "usage-command": { name: "usageCommand", read: readText },
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
  agent: { name: "agent", read: readText },
  auditor: { name: "auditor", read: readText },
  priority: { name: "priority", read: readPriority },
  workflow: { name: "workflow", read: readText },
  timeout: { name: "timeoutMs", read: readDuration },
  attempts: { name: "attempts", read: readCount(1, 100) },
  failure: { name: "failure", read: readText },
  "escalate-to": { name: "escalateTo", read: readText },
};

const rows: ReadonlyMap<string, Row> = new Map(Object.entries(table));

/** The keys there are, as we write them. */
export const settingKeys: readonly string[] = [...rows.keys()];

/** How a setting is written, by the name it has in the program. */
export const settingSpellings: ReadonlyMap<string, string> = new Map(
  [...rows].map(([key, { name }]) => [name, key]),
);

export interface SettingsReading {
  readonly prefix: YamlSource["prefix"];
  readonly findings: Findings;
  readonly suggestions: Suggestions;
  /** Keys with a meaning beside the settings: for suggestions. */
  readonly otherKeys?: readonly string[];
  /** A setting that is lost by a slip of the pen is a mistake; else it is a remark, as in documents that nobody runs. */
  readonly isStrict?: boolean;
  /** How one writes a setting here; `key: value` unless told. */
  readonly spell?: (key: string, value: string) => string;
}

export function readSettings(entries: readonly Entry[], reading: SettingsReading): Settings {
  const settings = new Map<keyof Settings, unknown>();
  const seen = new Set<string>();
  for (const entry of entries) {
    const row = rows.get(entry.key);
    if (!row) {
      if (!entry.key.startsWith("x-")) unknownSetting(entry, reading);
      continue;
    }
    if (seen.has(entry.key)) {
      const message = `${entry.key} is said twice (- and _ are the same), and only one can be meant`;
      const { prefix, findings } = reading;
      findings.block(`${prefix}_DUPLICATE_KEY`, entry.name, message, "Leave one of them out.");
      continue;
    }
    seen.add(entry.key);
    if ("isCommands" in row) {
      const commands = entry.values.map(({ text }) => text.trim()).filter((text) => text !== "");
      if (commands.length > 0) settings.set(row.name, commands);
    } else readOne(entry, row, settings, reading);
  }
  return Object.fromEntries(settings) as Settings;
}

function readOne(
  entry: Entry,
  row: { readonly name: keyof Settings; readonly read: Reader<unknown> },
  settings: Map<keyof Settings, unknown>,
  { findings, spell = spelledInYaml }: SettingsReading,
): void {
  // `agent:` with nothing behind it says nothing.
  if (entry.values.length === 0 && !entry.isList) return;
  const [only] = entry.values;
  const reading = entry.values.length === 1 && only ? row.read(only.text.trim()) : undefined;
  if (reading && "value" in reading) {
    settings.set(row.name, reading.value);
    return;
  }
  const found = entry.values
    .map(({ text }) => quote(text, 60))
    .slice(0, 3)
    .join(", ");
  const expected = reading?.expected ?? "one plain value";
  const example = reading?.example ?? only?.text ?? "…";
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

function unknownSetting({ key, name }: Entry, reading: SettingsReading): void {
  const { prefix, findings, suggestions, otherKeys = [], isStrict = false } = reading;
  const known = [...settingKeys, ...otherKeys];
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
