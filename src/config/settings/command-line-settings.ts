/**
 * Settings typed on the command line, read by the same table as those in a file. They apply to one run and override
 * configuration, plan and tasks, because the person who types them has seen the rest.
 */

import type { Settings, Span } from "../../plan/plan.ts";
import { PlanFindings } from "../../plan/problem.ts";
import type { SettingEntry } from "../../plan/read/entry.ts";
import { readSettings } from "../../plan/settings.ts";
import { Suggestions } from "../../plan/suggestions.ts";
import type { Problem } from "../../std/problem.ts";
import { shellWord } from "../../std/shell-word.ts";

/** One setting with all values given for it. */
export interface TypedSetting {
  /** As in the table: `active-developers`. */
  readonly key: string;
  readonly values: readonly string[];
}

export interface CommandLineSettings {
  readonly settings: Settings;
  /** As typed in a shell: `--active-developers 5 --verify 'npm test'`. */
  readonly text: string;
}

export type CommandLineReading = CommandLineSettings & { readonly problems: readonly Problem[] };

const nowhere = { start: 0, end: 0 };

export function readCommandLineSettings(typed: readonly TypedSetting[]): CommandLineReading {
  const findings = new PlanFindings();
  const entries = typed.map(
    ({ key, values }): SettingEntry => ({
      key,
      name: nowhere,
      value: nowhere,
      values: values.map((text) => ({ text, at: nowhere })),
      isList: values.length > 1,
    }),
  );
  const settings = readSettings(entries, {
    prefix: "OPTION",
    findings,
    suggestions: new Suggestions(),
    spell,
  });
  const text = typed.flatMap(({ key, values }) => values.map((value) => spell(key, value))).join(" ");
  const problems = findings.found.map(({ code, message, hint }) => ({ code, message, hint }));
  return { settings, text, problems };
}

/** The place of a setting in that text. */
export function placeOfSetting({ text }: CommandLineSettings, key: string): Span {
  const start = ` ${text}`.indexOf(` --${key} `);
  return start < 0 ? nowhere : { start, end: start + `--${key}`.length };
}

function spell(key: string, value: string): string {
  return `--${key} ${shellWord(value)}`;
}
