/**
 * Checks an agent's `command` setting: it must list the program and its arguments, and never be a line for a shell.
 * Nothing is ever filled in, so a placeholder is always a mistake.
 */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";

export function commandProblem(command: unknown): Problem | undefined {
  if (command === undefined)
    return { code: "CONFIG_BAD_COMMAND", message: "it has no command", hint: example };
  if (typeof command === "string") {
    const message = `its command ${quote(command)} is a line for a shell, which would execute what a prompt holds`;
    return { code: "CONFIG_SHELL_TEMPLATE", message, hint: example };
  }
  if (!isArgv(command)) {
    const message = "its command is not a list of words that begins with a program";
    return { code: "CONFIG_BAD_COMMAND", message, hint: example };
  }
  const filled = command.find((word) => placeholder.test(word));
  if (filled === undefined) return undefined;
  const message = `its command has a placeholder for the prompt (${quote(filled)}), and nothing is filled in`;
  return { code: "CONFIG_SHELL_TEMPLATE", message, hint: "Take it out: the prompt comes on stdin." };
}

export type Argv = readonly [program: string, ...args: string[]];

export function isArgv(command: unknown): command is Argv {
  if (!Array.isArray(command) || command.length === 0 || command[0] === "") return false;
  return command.every((word) => typeof word === "string" && !word.includes("\0"));
}

const example = 'Write the program and its arguments as a list: command: ["node", "tools/agent.mjs"].';

const placeholder = /\{\{?\s*prompt\s*\}?\}|%prompt%|\$prompt\b/i;
