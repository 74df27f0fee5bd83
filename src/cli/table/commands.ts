/**
 * Every command with its options, as plain data. Help is printed from it and arguments are read by it, so the two
 * cannot differ. It imports only its rows, because `cox --help` should cost no more than starting Node.
 */
import { beginCommands } from "./begin-commands.ts";
import type { CommandSpec, Option } from "./command.ts";
import { documentCommands } from "./document-commands.ts";
import { lookCommands } from "./look-commands.ts";
import { replyCommands } from "./reply-commands.ts";
import { steerCommands } from "./steer-commands.ts";
import { unlistedCommands } from "./unlisted-commands.ts";

export const globalOptions: readonly Option[] = [
  { name: "directory", short: "C", argument: "DIR", text: "Run as if started in DIR" },
  { name: "no-color", text: "No colours; NO_COLOR and TERM=dumb do the same" },
  { name: "debug", text: "Show the stack when something unexpected happens" },
  { name: "help", short: "h", text: "Help on cox, or on one command" },
  { name: "version", short: "V", text: "Print the version" },
];

const groups: Readonly<Record<string, readonly CommandSpec[]>> = {
  "Run a plan": beginCommands,
  "Look at a run": lookCommands,
  "Steer it": steerCommands,
  "Tasks and documents": documentCommands,
  "A single reply, and this machine": replyCommands,
};

export const commands: readonly CommandSpec[] = [...Object.values(groups).flat(), ...unlistedCommands];

/** What `cox` and `cox --help` print. */
export function helpText(): string {
  const rows = Object.entries(groups).map(
    ([title, group]) =>
      `${title}\n${group.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`).join("\n")}\n`,
  );
  return `cox runs a plan with a crew of coding agents: verified, committed, reversible, crash-safe.

${rows.join("\n")}
Options of every command
${optionRows(globalOptions)}

Try   cox demo           no key, no network, ten seconds
Then  cox init           in your repository
Help  cox run --help
`;
}

/**
 * What `cox NAME --help` prints; `undefined` for an unknown name. `settings` is appended for commands that accept
 * settings.
 */
export function commandHelp(name: string, settings = ""): string | undefined {
  const command = commands.find((one) => one.name === name);
  if (!command) return undefined;
  const width = Math.max(...command.examples.map(([line]) => line.length));
  const examples = command.examples.map(([line, effect]) => `  ${line.padEnd(width)}   ${effect}`);
  const options = command.options.length > 0 ? `\nOptions\n${optionRows(command.options)}\n` : "";
  return `${command.summary}.

  ${command.usage}

Examples
${examples.join("\n")}

${command.about}
${options}${command.takesSettings && settings !== "" ? `\n${settings}` : ""}
Options of every command
${optionRows(globalOptions)}
`;
}

function optionRows(options: readonly Option[]): string {
  const names = options.map(spelled);
  const width = Math.max(...names.map((name) => name.length));
  return options.map(({ text }, at) => `  ${names[at]?.padEnd(width)}  ${text}`).join("\n");
}

function spelled({ name, short, argument }: Option): string {
  return `${short ? `-${short}, ` : "    "}--${name}${argument ? ` ${argument}` : ""}`;
}
