/** Makes every setting an option of the commands that accept settings, from the one table of settings. */
import type { TypedSetting } from "../../config/settings/command-line-settings.ts";
import { offeredSettingKeys, settingShape } from "../../plan/settings.ts";
import type { Option } from "../table/command.ts";

export const settingOptions: readonly Option[] = offeredSettingKeys.map((name) => {
  const { argument, isList } = settingShape(name);
  return { name, argument, text: "", ...(isList && { repeatable: true as const }) };
});

/** Option values by option name. */
interface OptionValues {
  has(name: string): boolean;
  all(name: string): readonly string[];
}

/** The settings that were typed, each with all its values. */
export function typedSettings(values: OptionValues): TypedSetting[] {
  return settingOptions
    .filter(({ name }) => values.has(name))
    .map(({ name }) => ({ key: name, values: values.all(name) }));
}

/** The settings as help lists them: two to a row, with their possible values. */
export function settingsHelp(): string {
  const cells = settingOptions.map(
    ({ name, argument, repeatable }) => `--${name} ${argument}${repeatable ? " …" : ""}`,
  );
  const half = Math.ceil(cells.length / 2);
  const width = Math.max(...cells.slice(0, half).map((cell) => cell.length));
  const rows = cells.slice(0, half).map((cell, at) => {
    const right = cells[half + at];
    return right === undefined ? `  ${cell}` : `  ${cell.padEnd(width)}  ${right}`;
  });
  return `Settings for this once; they override the configuration, the plan and its tasks
${rows.join("\n")}

  DURATION is 90s, 15m or '1h 30m'; AMOUNT is '5 USD', '200k tokens', '10 turns', 2h, or several
  separated by commas; options with … may be repeated. - and _ are the same in names.
`;
}
