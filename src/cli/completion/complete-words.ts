/**
 * Completes the last word typed after `cox`, using the table of commands: with words that are known here, or with a
 * kind of thing that must be looked up.
 */
import { settingShape } from "../../plan/settings.ts";
import { settingOptions } from "../begin/setting-options.ts";
import type { CommandSpec, Option, Word } from "../table/command.ts";
import { commands, globalOptions } from "../table/commands.ts";
import { unlistedCommands } from "../table/unlisted-commands.ts";

export interface CompletionCandidate {
  readonly value: string;
  /** A short description. */
  readonly text: string;
}

/** Things that a repository has, and things that the shell finds itself. */
export type CompletionKind =
  | "run"
  | "task"
  | "question"
  | "agent"
  | "driver"
  | "workflow"
  | "plan"
  | "file"
  | "folder";

export interface CompletionRequest {
  /** The fixed beginning of the last word: `--run=`. */
  readonly prefix: string;
  readonly candidates: readonly CompletionCandidate[];
  readonly kinds: readonly CompletionKind[];
  /** The values of options that say where to look: `directory`, `root`, `run`. */
  readonly given: ReadonlyMap<string, string>;
}

export function completeWords(typed: readonly string[]): CompletionRequest {
  const words = withEqualSigns(typed);
  const current = words.at(-1) ?? "";
  const { command, options, awaiting, given, positionals, isPlain } = readSoFar(words.slice(0, -1));
  const wanted = (prefix: string, found: Found): CompletionRequest => ({ prefix, given, ...found });

  if (awaiting) return wanted("", valuesOf(awaiting));
  const [, name] = /^--([^=]+)=/.exec(current) ?? [];
  if (name !== undefined && !isPlain) {
    const option = optionNamed(options, name);
    return wanted(`--${name}=`, option?.argument ? valuesOf(option) : nothing);
  }
  const names = candidates(options.map((option) => ({ value: `--${option.name}`, text: option.text })));
  if (current.startsWith("-") && !isPlain) return wanted("", names);
  if (!command) return wanted("", candidates(listed.map((one) => ({ value: one.name, text: one.summary }))));
  const word = positionals < command.words ? command.takes?.[positionals] : undefined;
  return wanted("", word === undefined && current === "" && !isPlain ? names : found(word));
}

const listed = commands.filter((command) => !unlistedCommands.includes(command));

interface SoFar {
  readonly command: CommandSpec | undefined;
  /** The options that are valid at this point. */
  readonly options: readonly Option[];
  /** An option that was just typed and still needs its value. */
  readonly awaiting: Option | undefined;
  readonly given: ReadonlyMap<string, string>;
  readonly positionals: number;
  /** After `--`, everything is a word. */
  readonly isPlain: boolean;
}

function readSoFar(words: readonly string[]): SoFar {
  let command: CommandSpec | undefined;
  let options: readonly Option[] = globalOptions;
  let awaiting: Option | undefined;
  let positionals = 0;
  let isPlain = false;
  const given = new Map<string, string>();
  for (const word of words) {
    if (awaiting) {
      given.set(awaiting.name, word);
      awaiting = undefined;
    } else if (word === "--" && !isPlain) {
      isPlain = true;
    } else if (word.startsWith("-") && word !== "-" && !isPlain) {
      const [, name = "", value] = /^(-[^-]|--[^=]+)=?([\s\S]*)$/.exec(word) ?? [];
      const option = optionNamed(options, name.replace(/^--?/, ""));
      if (!option?.argument) continue;
      if (value === "" && !word.includes("=")) awaiting = option;
      else given.set(option.name, value ?? "");
    } else if (command) {
      positionals += 1;
    } else {
      command = commands.find(({ name }) => name === word);
      const settings = command?.takesSettings ? settingOptions : [];
      options = [...(command?.options ?? []), ...settings, ...globalOptions];
    }
  }
  return { command, options, awaiting, given, positionals, isPlain };
}

function optionNamed(options: readonly Option[], name: string): Option | undefined {
  const plain = name.replaceAll("_", "-");
  return options.find((option) => option.name === plain || option.short === name);
}

type Found = Pick<CompletionRequest, "candidates" | "kinds">;
const nothing: Found = { candidates: [], kinds: [] };

function candidates(all: readonly CompletionCandidate[]): Found {
  return { candidates: all, kinds: [] };
}

function fixed(values: readonly string[]): Found {
  return candidates(values.map((value) => ({ value, text: "" })));
}

/** Keyed by the placeholder for the value in help. */
const kindsOfArguments: Readonly<Record<string, CompletionKind>> = {
  RUN: "run",
  TASK: "task",
  AGENT: "agent",
  WORKFLOW: "workflow",
  FILE: "file",
  PATH: "file",
  DIR: "folder",
};

function valuesOf(option: Option): Found {
  if (option.oneOf) return fixed(option.oneOf);
  if (settingOptions.includes(option)) {
    const { choices } = settingShape(option.name);
    if (choices.length > 0) return fixed(choices);
  }
  const kind = kindsOfArguments[option.argument ?? ""];
  return kind === undefined ? nothing : { candidates: [], kinds: [kind] };
}

function found(word: Word | undefined): Found {
  if (word === undefined || word === "text") return nothing;
  if (typeof word !== "string") return fixed(word);
  return { candidates: [], kinds: word === "agent-or-driver" ? ["agent", "driver"] : [word] };
}

/** Bash splits `--land=ask` at the equals sign. */
function withEqualSigns(typed: readonly string[]): string[] {
  const words: string[] = [];
  typed.forEach((word, at) => {
    const last = words.at(-1) ?? "";
    const isPart = word === "=" || typed[at - 1] === "=";
    if (isPart && last.startsWith("--")) words[words.length - 1] = `${last}${word}`;
    else words.push(word);
  });
  return words;
}
