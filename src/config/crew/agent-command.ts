/**
 * Reads an agent's `command:` as a list of words: the program, then its arguments. A shell command line is refused,
 * because a prompt that reached it would be executed. The prompt goes to the program's stdin and nowhere else.
 */
import type { PlanFindings } from "../../plan/problem.ts";
import type { YamlPair } from "../../plan/read/yaml-tree.ts";
import { quote } from "../../std/printable.ts";

const wordsMax = 100;
const wordLengthMax = 8192;
const example = 'Write the program and its arguments as a list: command: ["node", "tools/agent.mjs"]';

/** Undefined if there is none; an empty list if it was refused, so that nobody asks for it again. */
export function readCommand(
  pair: YamlPair | undefined,
  { findings }: { readonly findings: PlanFindings },
): readonly string[] | undefined {
  const { value } = pair ?? {};
  if (!value || (value.kind === "scalar" && value.text === "")) return undefined;
  if (value.kind === "scalar") {
    const message = `a command is a list of words, and ${quote(value.text, 60)} is a line for a shell`;
    findings.block("CONFIG_SHELL_TEMPLATE", value.at, message, asList(value.text) ?? example);
    return [];
  }
  const words =
    value.kind === "list" ? value.items.map((item) => (item.kind === "scalar" ? item.text : undefined)) : [];
  if (words.length === 0 || !words.every(isWord) || words[0] === "" || words.length > wordsMax) {
    const message = `a command is a list of 1 to ${wordsMax} plain words, the first of them a program`;
    findings.block("CONFIG_BAD_COMMAND", value.at, message, example);
    return [];
  }
  if (isShellTemplate(words)) {
    const message = `${quote(words.join(" "), 60)} would hand the prompt to a shell, which executes what it finds in it`;
    const hint = "Name the program itself, without sh -c and {prompt}; it reads the prompt on its stdin.";
    findings.block("CONFIG_SHELL_TEMPLATE", value.at, message, hint);
    return [];
  }
  if (words.some((word) => placeholder.test(word))) {
    const message = "a placeholder for the prompt is not filled in: the prompt comes on stdin";
    findings.warn("CONFIG_PROMPT_PLACEHOLDER", value.at, message, "Take it out, and read stdin.");
  }
  return words;
}

/** Reads `args:` of an agent program, which come after our own arguments. */
export function readArguments(
  pair: YamlPair | undefined,
  { findings }: { readonly findings: PlanFindings },
): readonly string[] | undefined {
  const { value } = pair ?? {};
  if (!value || (value.kind === "scalar" && value.text === "")) return undefined;
  const words =
    value.kind === "list"
      ? value.items.map((item) => (item.kind === "scalar" ? item.text : undefined))
      : [undefined];
  if (words.every(isWord) && words.length <= wordsMax) return words;
  const message = `args is a list of at most ${wordsMax} plain words`;
  findings.block(
    "CONFIG_BAD_COMMAND",
    value.at,
    message,
    'Write each word by itself: args: ["--max-turns", "50"]',
  );
  return undefined;
}

function isWord(word: string | undefined): word is string {
  return word !== undefined && word.length <= wordLengthMax && !word.includes("\0");
}

/** The line as a list, if nothing in it has a meaning to a shell. */
function asList(line: string): string | undefined {
  if (!/^[\w ./:=@%+,-]+$/.test(line) || line.length > 200) return undefined;
  const words = line.trim().split(/ +/);
  return words.includes("")
    ? undefined
    : `Write: command: [${words.map((word) => JSON.stringify(word)).join(", ")}]`;
}

const placeholder = /\{\{?\s*prompt\s*\}?\}|%prompt%|\$prompt\b/i;
const shell = /(?:^|\/)(?:ba|da|z|k|mk|c|tc|a|fi)?sh$/;

/** Also finds a shell after `env`, `timeout 5`, `nice` and the like. */
function isShellTemplate(words: readonly string[]): boolean {
  const at = words.findIndex((word) => shell.test(word));
  if (at === -1) return false;
  const rest = words.slice(at + 1);
  return rest.some((word) => /^-[a-z]*c[a-z]*$/i.test(word)) && rest.some((word) => placeholder.test(word));
}
