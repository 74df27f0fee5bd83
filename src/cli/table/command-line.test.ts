import { expect, test } from "vitest";
import { offeredSettingKeys, settingShape } from "../../plan/settings.ts";
import { settingOptions, settingsHelp, typedSettings } from "../begin/setting-options.ts";
import { readCommandLine } from "./command-line.ts";
import { commandHelp, commands, globalOptions, helpText } from "./commands.ts";
import { unlistedCommands } from "./unlisted-commands.ts";

test("a command line reads as its command, words and values", async () => {
  const line = await read("-C", "/tmp", "apply", "reply.md", "--writes", "a/**", "--writes=b/**", "-y");
  expect(line.command?.name).toBe("apply");
  expect(line.words).toEqual(["reply.md"]);
  expect(line.values.one("directory")).toBe("/tmp");
  expect(line.values.all("writes")).toEqual(["a/**", "b/**"]);
  expect(line.values.has("yes")).toBe(true);
  expect(line.values.has("dry-run")).toBe(false);
});

test("global options may stand behind the command as well", async () => {
  const line = await read("apply", "-C", "/tmp", "-");
  expect([line.words, line.values.one("directory")]).toEqual([["-"], "/tmp"]);
});

test("a file whose name starts with a dash can be named behind --", async () => {
  expect((await read("apply", "--", "-reply.md")).words).toEqual(["-reply.md"]);
});

test.each([
  [["aply"], "USAGE_UNKNOWN_COMMAND", /no command "aply"/, /cox apply$/],
  [["frobnicate"], "USAGE_UNKNOWN_COMMAND", /no command "frobnicate"/, /cox --help/],
  [["apply", "--dry-rum"], "USAGE_UNKNOWN_OPTION", /cox apply has no option "--dry-rum"/, /--dry-run/],
  [["--jsno", "apply"], "USAGE_UNKNOWN_OPTION", /no option "--jsno"/, /--json/],
  [["apply", "-x"], "USAGE_UNKNOWN_OPTION", /no option "-x"/, /cox apply --help/],
  [["apply", "--id"], "USAGE", /--id needs a value/, /--id ID/],
  [["apply", "--id", "--yes"], "USAGE", /"--yes" looks like an option/, /--id=--yes/],
  [["task", "add", "x", "--content", "-x y's"], "USAGE", /looks like an option/, /--content='-x y'\\''s'/],
  [["apply", "--yes=1"], "USAGE", /takes no value, yet "1"/, /--yes alone/],
  [
    ["apply", "--confirm-deletes", "maybe"],
    "USAGE",
    /ask \| declared \| always-allow \| never, not "maybe"/,
    /--help/,
  ],
  [["apply", "a", "b"], "USAGE", /what to do with "b"/, /cox apply \[FILE/],
  [["run", "p.md", "--active-developer", "5"], "USAGE_UNKNOWN_OPTION", /no option/, /--active-developers$/],
  [["run", "p.md", "--land"], "USAGE", /--land needs a value/, /--land ask\|auto\|never/],
  [["run", "p.md", "--verify", " "], "USAGE", /--verify needs a value/, /--verify COMMAND/],
  [["status", "--land", "ask"], "USAGE_UNKNOWN_OPTION", /cox status has no option "--land"/, /status --help/],
  [["doctor", "\u001b[2J"], "USAGE", /"\\u001b\[2J"/, /cox doctor/],
])("%j is refused with what to type instead", async (argv, code, message, hint) => {
  const reading = await readCommandLine(argv);
  const problem = "problems" in reading ? reading.problems[0] : undefined;
  expect(problem).toMatchObject({
    code,
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  });
});

test("settings are options of the commands that take them, in any spelling, with = or a blank", async () => {
  const argv = [
    "--active_developers",
    "5",
    "--verify=npm test",
    "--verify",
    "npm run lint",
    "--turn-timeout=1h",
  ];
  for (const command of ["run", "approve", "check"]) {
    const { values, words } = await read(command, "plan.md", ...argv);
    expect(words).toEqual(["plan.md"]);
    expect(typedSettings(values)).toEqual([
      { key: "active-developers", values: ["5"] },
      { key: "verify", values: ["npm test", "npm run lint"] },
      { key: "turn-timeout", values: ["1h"] },
    ]);
  }
});

test("no setting has the name of another option of a command that takes settings", () => {
  const names = new Set([
    ...globalOptions.map(({ name }) => name),
    ...commands
      .filter(({ takesSettings }) => takesSettings)
      .flatMap(({ options }) => options.map(({ name }) => name)),
  ]);
  expect(settingOptions.filter(({ name }) => names.has(name))).toEqual([]);
});

test("help of a command that takes settings lists every one with its values, and fits a terminal", () => {
  const help = commandHelp("run", settingsHelp()) ?? "";
  for (const key of offeredSettingKeys) expect(help).toContain(`--${key} ${settingShape(key).argument}`);
  for (const line of help.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  expect(commandHelp("status", settingsHelp())).not.toContain("--active-developers");
});

test("every mistake on the line is reported at once", async () => {
  const reading = await readCommandLine(["apply", "--frob", "--id", "--nix"]);
  expect("problems" in reading && reading.problems).toHaveLength(2);
});

test("the value of a mistyped option is not called a word too many", async () => {
  const reading = await readCommandLine(["run", "p.md", "--activ-developers", "5"]);
  expect("problems" in reading && reading.problems.map(({ code }) => code)).toEqual(["USAGE_UNKNOWN_OPTION"]);
});

test("--help is answered whatever else is wrong in the command line", async () => {
  expect((await read("apply", "--frob", "--help")).values.has("help")).toBe(true);
});

test("every command has a help text with its usage, an example and all its options", () => {
  for (const command of commands) {
    const help = commandHelp(command.name) ?? "";
    expect(help).toContain(command.usage);
    expect(help).toContain(command.examples[0]?.[0]);
    for (const { name } of command.options) expect(help).toContain(`--${name}`);
    expect(helpText().includes(command.summary)).toBe(!unlistedCommands.includes(command));
  }
});

test("every command that takes words says what they are, for completions", () => {
  const silent = commands.filter(({ words, takes = [] }) => words > 0 && takes.length === 0);
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test("help fits a terminal of 100 columns", () => {
  const texts = [helpText(), ...commands.map(({ name }) => commandHelp(name) ?? "")];
  for (const line of texts.join("\n").split("\n")) expect(line.length).toBeLessThanOrEqual(100);
});

async function read(...argv: string[]) {
  const reading = await readCommandLine(argv);
  if ("problems" in reading) throw new Error(JSON.stringify(reading.problems));
  return reading.line;
}

test("a value that begins with a dash and a blank is a line of Markdown", async () => {
  const reading = await readCommandLine(["task", "add", "x", "--content", "- Verify: npm test"]);
  expect("line" in reading && reading.line.values.one("content")).toBe("- Verify: npm test");
});
