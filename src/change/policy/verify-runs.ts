/**
 * Finds what verify commands run, as far as their text shows it: package.json scripts, the files of make and similar
 * tools, and script files. Whoever may change these decides what a pass means, so a plan's `Writes:` does not allow it.
 *
 * Only plain references are found. Not found: what such a script imports or calls in turn (except package.json scripts
 * that call each other), what a variable names, the tests themselves, and test runner configuration.
 */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { anywhereGlob } from "../glob.ts";
import { foldPath } from "../path.ts";
import { commandWords } from "./command-words.ts";
import { isPackageManifest, manifestScripts } from "./package-manifest.ts";

export interface ChangedFile {
  readonly path: string;
  /** New files are fine: a command that could not run before is not weakened by adding what it needs. */
  readonly isNew: boolean;
  readonly before: Uint8Array | undefined;
  /** Undefined when the file is deleted. */
  readonly after: Uint8Array | undefined;
}

export type VerifyChecker = (file: ChangedFile) => Omit<Problem, "path"> | undefined;

export function verifyChecker(commands: readonly string[]): VerifyChecker {
  const runs = commands.map((command) => ({ command, ...whatRuns(command) }));
  return ({ path, isNew, before, after }) => {
    if (isNew) return undefined;
    const folded = foldPath(path);
    for (const { command, files, isOwnFile, scripts } of runs) {
      if (files.has(folded) || isOwnFile(folded))
        return problem({ command, what: `${quote(path)}, which it runs` });
      if (scripts.length === 0 || !isPackageManifest(folded)) continue;
      const changed = changedScript(scripts, scriptsOf(before), scriptsOf(after));
      if (changed !== undefined) return problem({ command, what: `${changed} in ${quote(path)}` });
    }
    return undefined;
  };
}

function problem({ command, what }: { readonly command: string; readonly what: string }) {
  return {
    code: "VERIFY_CHANGED",
    message: `${what}, would change, and with it what the verify command ${quote(command, 80)} checks`,
    hint: "Leave it as it is unless the task is about it; a person is asked, also where the plan lets the task write it.",
  };
}

interface Runs {
  /** Folded paths from the root. */
  readonly files: ReadonlySet<string>;
  /** For make and similar tools: their files have fixed names, in any folder. */
  isOwnFile(foldedPath: string): boolean;
  /** Names of package.json scripts. */
  readonly scripts: readonly string[];
}

function whatRuns(line: string): Runs {
  const files = new Set<string>();
  const names: string[] = [];
  const scripts: string[] = [];
  // We do not track exactly where a command runs: every folder that the line enters counts for all of its commands.
  const commands = withInner(line);
  const folders = ["", ...commands.flatMap(folderOf)];
  for (const [program = "", ...rest] of commands) {
    const name = program.slice(program.lastIndexOf("/") + 1);
    for (const file of [...(program.includes("/") ? [program] : []), ...scriptFiles(name, rest)])
      for (const folder of folders) {
        const path = joined(folder, file);
        if (path !== undefined) files.add(foldPath(path));
      }
    if (packageManagers.has(name)) scripts.push(...scriptNames(rest));
    const own = ownFiles[name];
    if (own !== undefined) names.push(own);
  }
  const isOwnFile = names.length === 0 ? () => false : anywhereGlob(foldPath(names.join(" ")));
  return { files, isOwnFile, scripts };
}

/** If a shell gets its commands as an argument (`sh -c`), those are what runs. */
function withInner(line: string): string[][] {
  return commandWords(line).flatMap((words) => {
    const [program = "", ...rest] = words;
    const at = shells.test(program) ? rest.findIndex((word) => /^-\w*c$/.test(word)) : -1;
    const inner = at < 0 ? undefined : rest[at + 1];
    return inner === undefined ? [words] : commandWords(inner);
  });
}

const shells = /(?:^|\/)(?:ba|da|z|k)?sh$/;

/** The folder of `cd`, and of options that name one. */
function folderOf([program = "", ...rest]: readonly string[]): string[] {
  if (program === "cd") return rest.slice(0, 1);
  return rest.flatMap((word, at) => {
    const inOption = /^--(?:prefix|dir|cwd|directory|working-directory)=(.+)$/.exec(word)?.[1];
    if (inOption !== undefined) return [inOption];
    return folderOptions.has(word) ? rest.slice(at + 1, at + 2) : [];
  });
}

const folderOptions = new Set(["-C", "--prefix", "--dir", "--cwd", "--directory", "--working-directory"]);

/** The file that an interpreter runs, and those that it loads first. */
function scriptFiles(program: string, words: readonly string[]): string[] {
  if (program === "." || program === "source") return words.slice(0, 1);
  if (program in ownFiles)
    return optionValues(words, /^(?:-f|--file|--makefile|--justfile|--taskfile|--rakefile)$/);
  if (!interpreters.test(program)) return [];
  const loaded = optionValues(words, loading);
  const at = words.findIndex(
    (word, index) => !word.startsWith("-") && !isRun(word) && !takesValue.test(words[index - 1] ?? ""),
  );
  // The remaining words belong to a test runner, a module or inline code, so none of them is a script.
  const isOtherwise = words.slice(0, at < 0 ? undefined : at).some((word) => otherwise.test(word));
  const script = words[at];
  return script === undefined || isOtherwise ? loaded : [...loaded, script];
}

const interpreters =
  /^(?:(?:ba|da|z|k)?sh|node|nodejs|bun|deno|python[\d.]*|pypy3?|ruby|perl|php|tsx|ts-node|pwsh|Rscript|lua)$/;
const loading = /^(?:-r|--require|--import|--loader|--experimental-loader|--preload)$/;
const takesValue =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--preload|-W|-X|-o|-I|-C|--conditions)$/;
const otherwise = /^(?:-m|-e|-p|-c|--eval|--print|--test)$/;

function isRun(word: string): boolean {
  return word === "run";
}

function optionValues(words: readonly string[], option: RegExp): string[] {
  return words.flatMap((word, at) => {
    const [name = "", ...value] = word.split("=");
    if (!option.test(name)) return [];
    return value.length > 0 ? [value.join("=")] : words.slice(at + 1, at + 2);
  });
}

/** Also programs that run package.json scripts for them. */
const packageManagers = new Set("npm pnpm yarn bun npm-run-all run-s run-p turbo nx lerna".split(" "));

const ownFiles: Readonly<Record<string, string>> = {
  make: "Makefile GNUmakefile *.mk",
  gmake: "Makefile GNUmakefile *.mk",
  just: "justfile .justfile *.just",
  task: "Taskfile.yml Taskfile.yaml Taskfile.dist.yml Taskfile.dist.yaml",
  rake: "Rakefile Rakefile.rb *.rake",
  tox: "tox.ini",
  nox: "noxfile.py",
};

/** Every word that could be a script name: an extra name matters only if a script of that name changes. */
function scriptNames(words: readonly string[]): string[] {
  const names = words.filter((word) => !word.startsWith("-") && !isRun(word) && word !== "run-script");
  return names.flatMap((name) => {
    if (name === "t" || name === "tst") return ["test"];
    return name === "ci" || name === "install" || name === "i" ? ["install", "prepare"] : [name];
  });
}

type Scripts = ReturnType<typeof manifestScripts>;

function scriptsOf(manifest: Uint8Array | undefined): Scripts {
  return manifestScripts(decodeUtf8(manifest ?? new Uint8Array()));
}

/** Describes the first script that the commands run and that has changed. */
function changedScript(wanted: readonly string[], old: Scripts, now: Scripts): string | undefined {
  const due = [...wanted];
  const seen = new Set<string>();
  for (let name = due.pop(); name !== undefined; name = due.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const was = old.get(name);
    // A missing script runs nothing, and neither do its pre and post scripts; `install` always runs.
    if (was === undefined && name !== "install") continue;
    const changed = [`pre${name}`, name, `post${name}`].find((each) => old.get(each) !== now.get(each));
    if (changed !== undefined) return `the script ${quote(changed, 60)}`;
    due.push(...calledScripts(was ?? ""));
  }
  return undefined;
}

function calledScripts(line: string): string[] {
  return withInner(line).flatMap(([program = "", ...rest]) =>
    packageManagers.has(program) ? scriptNames(rest) : [],
  );
}

/** A path from the root; undefined if it leads outside or is not known. */
function joined(folder: string, file: string): string | undefined {
  if (file.startsWith("/") || file.startsWith("~") || file.includes("$")) return undefined;
  const parts: string[] = [];
  for (const part of `${folder.startsWith("/") || folder.includes("$") ? "" : folder}/${file}`.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else parts.push(part);
  }
  return parts.join("/");
}
