/** Settings that were typed behind a command, read by the same table as those of a file. */
import type { Entry } from "../plan/entry.ts";
import { plainKey } from "../plan/field.ts";
import type { Settings } from "../plan/plan.ts";
import { Findings } from "../plan/problem.ts";
import { readSettings, settingKeys } from "../plan/settings.ts";
import { Suggestions } from "../plan/suggestions.ts";
import { closestName } from "../std/closest-name.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";

const nowhere = { start: 0, end: 0 };

/** Options in the order they were typed; one that takes several commands may be given several times. */
export function readCommandLineSettings(
  options: readonly { readonly name: string; readonly value: string }[],
): { readonly settings: Settings; readonly problems: readonly Problem[] } {
  const findings = new Findings();
  const problems: Problem[] = [];
  const byKey = new Map<string, string[]>();
  for (const { name, value } of options) {
    const key = plainKey(name);
    if (!settingKeys.includes(key)) problems.push(unknownOption(key));
    else byKey.set(key, [...(byKey.get(key) ?? []), value]);
  }
  const entries = [...byKey].map(
    ([key, values]): Entry => ({
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
    spell: (key, value) => `--${key} ${/^[\w.%-]+$/.test(value) ? value : `"${value}"`}`,
  });
  problems.push(...findings.found.map(({ code, message, hint }) => ({ code, message, hint })));
  return { settings, problems };
}

function unknownOption(key: string): Problem {
  const near = closestName(key, settingKeys);
  const message = `there is no setting ${quote(key, 60)}`;
  const hint = near
    ? `Did you mean --${near}?`
    : "See which settings there are: .coxswain/config.yaml lists them.";
  return { code: "OPTION_UNKNOWN_KEY", message, hint };
}
