/**
 * Every command is tested together with others, or there is a stated reason why it need not be, so that a new one
 * cannot be forgotten.
 */
import type { Allowance, Finding, TextFile } from "./rule.ts";

const rows = /^src\/cli\/table\/[a-z]+-commands\.ts$/;
const tables = ["test/e2e/changing-commands.ts", "test/e2e/reading-commands.ts"];

/** The path of an allowance is what is typed: `cox check`. */
export function commandsAreTried(files: readonly TextFile[], allowed: readonly Allowance[] = []): Finding[] {
  const commands = files
    .filter(({ path }) => rows.test(path))
    .flatMap(({ text }) => namesIn(text, commandName));
  const tried = files
    .filter(({ path }) => tables.includes(path))
    .flatMap(({ text }) => namesIn(text, tableKey).map((key) => key.split(" ")[0] ?? ""));
  const excused = allowed.map(({ path }) => path.replace(/^cox /, ""));
  const missing = commands.filter((name) => !tried.includes(name) && !excused.includes(name));
  const unknown = [...new Set(tried)].filter((name) => !commands.includes(name));
  const unneeded = excused.filter((name) => tried.includes(name) || !commands.includes(name));
  return [
    ...missing.map((name) => `cox ${name} is in no table: what it does belongs into ${tables.join(" or ")}`),
    ...unknown.map((name) => `${tables.join(", ")}: there is no command ${name}`),
    ...unneeded.map((name) => `cox ${name} needs no allowance any more: remove it`),
  ];
}

/** As the formatter writes them: a command is an element of a list, a key is in a table. */
const commandName = /^ {4}name: "([\w-]+)",$/gm;
const tableKey = /^ {2}(?:"([^"\n]+)"|([\w-]+)): (?:\{$|\[)/gm;

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, quoted, plain = ""]) => quoted ?? plain);
}
