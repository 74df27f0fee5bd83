/** The settings of a run as they would be written, each with its origin. */
import type { Settings } from "../plan/plan.ts";
import { settingSpellings } from "../plan/settings.ts";
import type { Budget } from "../plan/value-readers.ts";
import { grouped } from "../std/counted.ts";
import { hasEffect } from "../std/no-effect-yet.ts";
import { oneLine } from "../std/printable.ts";
import type { Display } from "./text/line.ts";
import { lineText } from "./text/line.ts";
import { padTo, widthOf } from "./text/width.ts";
import { timeLimit } from "./time-limit.ts";

export interface RunSetting {
  readonly setting: string;
  readonly value: unknown;
  /** As it would be written in the configuration. */
  readonly text: string;
  /** `default`, `config`, `plan`, `command line`, …; null if no longer known. */
  readonly origin: string | null;
}

export interface SettingsKept {
  readonly settings: Settings;
  readonly origins: Readonly<Record<string, string>>;
  /** The current budget: a person may have raised it when the run was resumed. */
  readonly budget: Budget;
}

export function runSettings({ settings, origins, budget }: SettingsKept): RunSetting[] {
  const isRaised = budgetText(budget) !== budgetText(settings.budget ?? {});
  const now = isRaised ? { ...settings, budget } : settings;
  return Object.entries(now)
    .map(([name, value]) => ({
      setting: settingSpellings.get(name) ?? name,
      value,
      text: valueText(name, value),
      origin: name === "budget" && isRaised ? "resume" : (origins[name] ?? null),
    }))
    .filter(({ setting }) => hasEffect("setting", setting))
    .sort((one, other) => (one.setting < other.setting ? -1 : 1));
}

export function runSettingsText(settings: readonly RunSetting[], look: Display): string {
  const names = Math.max(0, ...settings.map(({ setting }) => setting.length));
  const values = Math.min(40, Math.max(0, ...settings.map(({ text }) => widthOf(text))));
  return settings
    .map(({ setting, text, origin }) => {
      const value = widthOf(text) > values ? text : padTo(text, values);
      const line = [`${padTo(setting, names)}  ${value}  `, ["dim", origin ?? "not known"]] as const;
      return `${lineText(line, { ...look, columns: Math.max(look.columns, linesMax) })}\n`;
    })
    .join("");
}

/** A command that is cut cannot be copied, so the terminal wraps it instead. */
const linesMax = 1000;

function valueText(name: string, value: unknown): string {
  if (name === "budget") return budgetText(value as Budget);
  if (typeof value === "number") {
    if (name.endsWith("Ms")) return timeLimit(value);
    return name.endsWith("Percent") ? `${value} %` : String(value);
  }
  const lines = Array.isArray(value) ? value.map(String) : [String(value)];
  return lines.map((line) => oneLine(line, 400)).join("; ");
}

export function budgetText({ usdMicros, tokens, turns, timeMs }: Budget): string {
  return [
    ...(usdMicros === undefined ? [] : [`${usdMicros / 1_000_000} USD`]),
    ...(tokens === undefined ? [] : [`${grouped(tokens)} tokens`]),
    ...(turns === undefined ? [] : [`${grouped(turns)} turns`]),
    ...(timeMs === undefined ? [] : [timeLimit(timeMs)]),
  ].join(", ");
}
