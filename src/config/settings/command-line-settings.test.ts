import { expect, test } from "vitest";
import { parsePlan } from "../../plan/read/parse.ts";
import { offeredSettingKeys, settingShape } from "../../plan/settings.ts";
import { readConfig } from "../file/read-config.ts";
import { commandsOf } from "../trust/commands.ts";
import { placeOfSetting, readCommandLineSettings } from "./command-line-settings.ts";

test("a setting on the command line is read as in a file, and commands may be several", () => {
  const { settings, problems, text } = readCommandLineSettings([
    { key: "turn-timeout", values: ["1h 30m"] },
    { key: "verify", values: ["npm test", "it's"] },
  ]);
  expect(problems).toEqual([]);
  expect(settings).toEqual({ turnTimeoutMs: 5_400_000, verify: ["npm test", "it's"] });
  expect(text).toBe("--turn-timeout '1h 30m' --verify 'npm test' --verify 'it'\\''s'");
});

/** For values that are not numbers, durations, choices or places. */
const words = { TEXT: "x", WORKFLOW: "tdd", COMMAND: "npm test", AGENT: "dev", PATH: "~/x", AMOUNT: "5 USD" };

test.each(offeredSettingKeys)(
  "%s on the command line is the same as %s in a plan, and its shape says how it is written",
  (key) => {
    const { argument, choices } = settingShape(key);
    const [number] = /^\d+/.exec(argument) ?? [];
    const value =
      choices[0] ?? (argument === "DURATION" ? "15 m" : (number ?? words[argument as keyof typeof words]));
    expect(value, `${key} ${argument}`).toBeDefined();
    const { settings, problems } = readCommandLineSettings([{ key, values: [value ?? ""] }]);
    expect(problems).toEqual([]);
    expect(Object.keys(settings)).toHaveLength(1);
    const { plan } = parsePlan(`---\n${key}: ${value}\n---\n## Tasks\n- [ ] One\n`);
    expect(settings).toEqual(plan.settings);
  },
);

test.each([
  ["turn-timeout", ["soon"], "--turn-timeout '15 m'"],
  ["land", ["ask", "never"], "--land ask"],
  ["active-developers", ["0"], "--active-developers 1"],
  ["also-writable", ["here"], "--also-writable '~/.cache/ms-playwright'"],
])("--%s %j is refused as in a plan, with how to type it", (key, values, example) => {
  const { problems } = readCommandLineSettings([{ key, values }]);
  const yaml = values.length === 1 ? values[0] : `[${values.join(", ")}]`;
  const { problems: inPlan } = parsePlan(`---\n${key}: ${yaml}\n---\n## Tasks\n- [ ] One\n`);
  const same = inPlan.find(({ code }) => code === "SCHEMA_RANGE");
  expect(problems).toEqual([
    { code: "SCHEMA_RANGE", message: same?.message, hint: `Write for example: ${example}` },
  ]);
});

test("the place of a setting on the command line is found by its whole name", () => {
  const line = readCommandLineSettings([
    { key: "verify-base", values: ["true"] },
    { key: "verify", values: ["x"] },
  ]);
  const { start, end } = placeOfSetting(line, "verify");
  expect(line.text.slice(start, end + 2)).toBe("--verify x");
});

test("commands on the command line replace the others, which are not shown as run", () => {
  const config = readConfig("verify: npm test\nsetup: npm ci\n").config;
  const { plan } = parsePlan("---\nverify: make\n---\n## Tasks\n### One\n- Verify: make one\n");
  const shown = (typed: object) =>
    commandsOf({ config, plan, typed }).map(({ what, source, command }) => `${what} ${source} ${command}`);
  expect(shown({})).toEqual([
    "setup config npm ci",
    "verify config npm test",
    "verify plan make",
    "verify plan make one",
  ]);
  expect(shown({ verify: ["true"] })).toEqual(["setup config npm ci", "verify command line true"]);
});
