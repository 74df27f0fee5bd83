/**
 * What verify commands run, as far as their words say it: scripts of package.json, the files of make and its like, and
 * script files. Whoever may change these may decide what a pass means, so a plan's `Writes:` does not allow it.
 *
 * Found is what is written plainly. Not found: what such a script imports or calls in turn (but scripts of package.json
 * that call each other), what a variable names, tests themselves, and the configuration of test runners.
 */
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import { commandWords } from "./command-words.ts";
import { anywhereGlob } from "./glob.ts";
import { isPackageManifest, manifestScripts } from "./package-manifest.ts";
import { foldPath } from "./path.ts";

export interface ChangedFile {
  readonly path: string;
  /** A command that could not run is not weakened by giving it something. */
  readonly isNew: boolean;
  readonly before: Uint8Array | undefined;
  /** Nothing where it is deleted. */
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
  /** Of make and its like: their files have fixed names, wherever they lie. */
  isOwnFile(foldedPath: string): boolean;
  /** Names of scripts in package.json. */
  readonly scripts: readonly string[];
}

function whatRuns(line: string): Runs {
  const files = new Set<string>();
  const names: string[] = [];
  const scripts: string[] = [];
  // Where a command is run from is not followed exactly: every folder that the line enters counts for all of it.
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

/** A shell that is given its commands in the line runs those. */
function withInner(line: string): string[][] {
  return commandWords(line).flatMap((words) => {
    const [program = "", ...rest] = words;
    const at = shells.test(program) ? rest.findIndex((word) => /^-\w*c$/.test(word)) : -1;
    const inner = at < 0 ? undefined : rest[at + 1];
    return inner === undefined ? [words] : commandWords(inner);
  });
}

const shells = /(?:^|\/)(?:ba|da|z|k)?sh$/;

/** Of `cd`, and of the options that name one. */
function folderOf([program = "", ...rest]: readonly string[]): string[] {
  if (program === "cd") return rest.slice(0, 1);
  return rest.flatMap((word, at) => {
    const inOption = /^--(?:prefix|dir|cwd|directory|working-directory)=(.+)$/.exec(word)?.[1];
    if (inOption !== undefined) return [inOption];
    return folderOptions.has(word) ? rest.slice(at + 1, at + 2) : [];
  });
}

const folderOptions = new Set(["-C", "--prefix", "--dir", "--cwd", "--directory", "--working-directory"]);

/** The file that an interpreter is given, and those that it is told to load before. */
function scriptFiles(program: string, words: readonly string[]): string[] {
  if (program === "." || program === "source") return words.slice(0, 1);
  if (program in ownFiles)
    return optionValues(words, /^(?:-f|--file|--makefile|--justfile|--taskfile|--rakefile)$/);
  if (!interpreters.test(program)) return [];
  const loaded = optionValues(words, loading);
  const at = words.findIndex(
    (word, index) => !word.startsWith("-") && !isRun(word) && !takesValue.test(words[index - 1] ?? ""),
  );
  // What follows is for a runner of tests, a module or a text: no script of its own.
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

/** And programs that run scripts of package.json for them. */
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

/** Every word that could be one: a name too many asks only when a script of that name changes. */
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

/** In words, the first script that the commands run and that is not what it was. */
function changedScript(wanted: readonly string[], old: Scripts, now: Scripts): string | undefined {
  const due = [...wanted];
  const seen = new Set<string>();
  for (let name = due.pop(); name !== undefined; name = due.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const was = old.get(name);
    // A script that is not there runs nothing, and neither does what stands before or after it; an install does.
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

/** A path from the root, or nothing where it leads out of it or is not known. */
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
