/**
 * The words after `cox` → a command with its values, or every mistake in them at once. It is driven by the table of
 * commands. Node's parser splits the words; the error messages are our own.
 */
import { parseArgs } from "node:util";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { CommandSpec, Option } from "./command.ts";
import { commands, globalOptions } from "./commands.ts";

export interface CommandLine {
  /** Missing if only `cox`, `cox --help` or `cox --version` was typed. */
  readonly command?: CommandSpec;
  readonly words: readonly string[];
  readonly values: Values;
}

/** Keyed by the option's long name. A switch that was given is present, with an empty value. */
export class Values {
  private readonly given = new Map<string, string[]>();

  add(name: string, value: string): void {
    this.given.set(name, [...(this.given.get(name) ?? []), value]);
  }

  has(name: string): boolean {
    return this.given.has(name);
  }

  one(name: string): string | undefined {
    return this.given.get(name)?.at(-1);
  }

  all(name: string): readonly string[] {
    return this.given.get(name) ?? [];
  }
}

export type ReadCommandLineResult =
  | { readonly line: CommandLine }
  | { readonly problems: readonly Problem[] };

export async function readCommandLine(argv: readonly string[]): Promise<ReadCommandLineResult> {
  const name = firstWord(argv);
  const command = commands.find((one) => one.name === name);
  if (name !== undefined && !command) return { problems: [await unknownCommand(name)] };

  const settings = command?.takesSettings ? (await import("../begin/setting-options.ts")).settingOptions : [];
  const options = [...globalOptions, ...(command?.options ?? []), ...settings];
  const values = new Values();
  const words: string[] = [];
  const problems: Problem[] = [];
  for (const token of split(argv, options)) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const option =
      options.find((one) => one.name === token.name) ??
      settings.find((one) => one.name === plainName(token.name));
    const problem = option
      ? wrongValue(option, token, command)
      : await unknownOption(token.rawName, options, command);
    if (problem) problems.push(problem);
    else if (option) values.add(option.name, token.value ?? "");
  }
  words.shift();
  // An extra word after an unknown option is most likely its value.
  const isMistyped = problems.some(({ code }) => code === "USAGE_UNKNOWN_OPTION");
  if (command && words.length > command.words && !isMistyped) problems.push(tooManyWords(words, command));
  // Help is shown whatever else is wrong on the line.
  if (problems.length > 0 && !values.has("help")) return { problems };
  return { line: { ...(command ? { command } : {}), words, values } };
}

/** The command is the first word that is neither an option nor the value of a global option. */
function firstWord(argv: readonly string[]): string | undefined {
  for (const token of split(argv, globalOptions)) if (token.kind === "positional") return token.value;
  return undefined;
}

function split(argv: readonly string[], options: readonly Option[]) {
  const config = options.flatMap(({ name, short, argument }) => {
    const type = argument ? ("string" as const) : ("boolean" as const);
    const other = name.replaceAll("-", "_");
    return [
      [name, { type, ...(short ? { short } : {}) }] as const,
      ...(other === name ? [] : [[other, { type }] as const]),
    ];
  });
  return parseArgs({
    args: [...argv],
    options: Object.fromEntries(config),
    allowPositionals: true,
    strict: false,
    tokens: true,
  }).tokens;
}

/** In names of settings, `-` and `_` are the same. */
function plainName(name: string): string {
  return name.replaceAll("_", "-");
}

interface OptionToken {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function wrongValue(
  option: Option,
  token: OptionToken,
  command: CommandSpec | undefined,
): Problem | undefined {
  const { value, rawName } = token;
  if (!option.argument) {
    if (value === undefined) return undefined;
    return usage(
      `${oneLine(rawName)} takes no value, yet ${shown(value)} was given`,
      `Type ${rawName} alone.`,
    );
  }
  const like = option.oneOf ? option.oneOf.join(" | ") : option.argument;
  if (value === undefined || value.trim() === "") {
    return usage(`${oneLine(rawName)} needs a value`, `Type ${rawName} ${like}.`);
  }
  // `--id --yes` is more likely a forgotten value than an id called "--yes"; "- Verify: …" is a line of Markdown.
  if (!token.inlineValue && /^-[^ ]/.test(value)) {
    return usage(
      `${oneLine(rawName)} needs a value, and ${shown(value)} looks like an option`,
      `Type ${rawName} ${like}, or --${option.name}=${inShell(value)} if that is the value.`,
    );
  }
  if (option.oneOf && !option.oneOf.includes(value)) {
    return usage(`${oneLine(rawName)} is ${like}, not ${shown(value)}`, seeHelp(command));
  }
  return undefined;
}

async function unknownCommand(name: string): Promise<Problem> {
  const near = await nearest(
    name,
    commands.map((one) => one.name),
  );
  return {
    code: "USAGE_UNKNOWN_COMMAND",
    message: `there is no command ${shown(name)}`,
    hint: near ? `Did you mean: cox ${near}` : "See the commands: cox --help",
  };
}

async function unknownOption(
  rawName: string,
  options: readonly Option[],
  command: CommandSpec | undefined,
): Promise<Problem> {
  const near = await nearest(
    rawName.replace(/^-+/, ""),
    options.map((one) => one.name),
  );
  return {
    code: "USAGE_UNKNOWN_OPTION",
    message: `${command ? `cox ${command.name}` : "cox"} has no option ${shown(rawName)}`,
    hint: near ? `Did you mean: --${near}` : seeHelp(command),
  };
}

function tooManyWords(words: readonly string[], command: CommandSpec): Problem {
  const extra = words.slice(command.words).map((word) => shown(word));
  return usage(
    `cox ${command.name} does not know what to do with ${extra.join(" ")}`,
    `Type: ${command.usage}`,
  );
}

/** Loaded only when somebody mistypes a name. */
async function nearest(name: string, names: readonly string[]): Promise<string | undefined> {
  const { closestName } = await import("../../std/closest-name.ts");
  return closestName(name, names);
}

function usage(message: string, hint: string): Problem {
  return { code: "USAGE", message, hint };
}

function seeHelp(command: CommandSpec | undefined): string {
  return `See: cox ${command ? `${command.name} ` : ""}--help`;
}

/** Quotes the value so that a shell takes it as one word. */
function inShell(value: string): string {
  const word = oneLine(value, 60);
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function shown(word: string): string {
  return quote(word, 60);
}
