/**
 * Runs git, always in a clean environment: it inherits none of our variables, and starts no hook, file monitor, prompt,
 * signing or background maintenance. Names go in on stdin, never as arguments.
 *
 * `user` works on the user's repository with the user's configuration; `own` works on our git directory with ours
 * alone.
 */
import { assert } from "../../std/assert.ts";
import { oneLine } from "../../std/printable.ts";
import { errnoOf } from "../../world/files/errno.ts";
import { absolutePath } from "../../world/processes/clean-environment.ts";
import type { CommandEnd, Commands } from "../../world/processes/commands.ts";
import { systemFolders } from "../../world/processes/program/system-folders.ts";
import type { CheckoutPaths } from "./checkout-paths.ts";
import { type AnswerLength, LongLivedGit } from "./long-lived-git.ts";

export type GitEnvironment = Readonly<Record<string, string | undefined>>;

export interface GitOptions {
  readonly input?: Uint8Array | string;
  readonly index?: string;
  readonly workTree?: string;
  /** Exit codes besides 0 that count as answers, not failures. */
  readonly answers?: readonly number[];
}

/** Checks made before git is started, so that it obeys only what the user had set up when cox started. */
export interface GitGuards {
  /** Our own git directory; `check` throws when it is not as we made it. */
  readonly home: { readonly folder: string; check(): void };
  /** Throws when the user's settings would start different programs than when cox started. */
  readonly settings: { check(): Promise<void> };
  /** The commands of the user's filters. */
  readonly programs: readonly string[];
}

export class GitCommand {
  readonly #userEnvironment: Readonly<Record<string, string>>;
  readonly #ownEnvironment: Readonly<Record<string, string>>;
  readonly #programs: Pick<Call, "lookIn" | "starts">;
  readonly #longLived = new Map<string, LongLivedGit>();

  /** Without guards, only the user's repository can be queried, and nothing about its files. */
  constructor(
    private readonly commands: Commands,
    private readonly place: CheckoutPaths,
    private readonly environment: GitEnvironment,
    private readonly guards?: GitGuards,
  ) {
    const { programs = [] } = guards ?? {};
    const path = programs.length > 0 ? { PATH: absolutePath(environment.PATH) } : {};
    this.#programs = { lookIn: absolutePath(environment.PATH), starts: wordsOf(programs) };
    this.#userEnvironment = {
      ...userEnvironment(environment),
      ...path,
      GIT_DIR: place.gitDir,
      GIT_WORK_TREE: place.root,
    };
    this.#ownEnvironment = {
      ...cleanEnvironment(environment),
      ...path,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_OBJECT_DIRECTORY: place.objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: listedPath(`${place.home}/objects`),
    };
  }

  guardedBy(guards: GitGuards): GitCommand {
    return new GitCommand(this.commands, this.place, this.environment, guards);
  }

  async user(args: readonly string[], options: GitOptions = {}): Promise<CommandEnd> {
    if (!readsNoFile.has(args[0] ?? "")) {
      assert(this.guards, "git is guarded when it is asked about the user's files");
      await this.guards.settings.check();
    }
    return runGit(this.commands, {
      args,
      folder: this.place.root,
      environment: this.#userEnvironment,
      options,
      ...this.#programs,
    });
  }

  async own(args: readonly string[], options: GitOptions = {}): Promise<CommandEnd> {
    const { index, workTree } = options;
    const folder = this.#checkedHome();
    return runGit(this.commands, {
      args,
      folder: workTree ?? folder,
      ...this.#programs,
      environment: {
        ...this.#ownEnvironment,
        GIT_DIR: folder,
        ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
        ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
      },
      options,
    });
  }

  /** Asks a long-lived git process, started with `args` in our own git directory at the first question. */
  askOwn(args: readonly string[], question: string, length: AnswerLength): Promise<Buffer> {
    return this.#stays(args, () => {
      const folder = this.#checkedHome();
      return { folder, environment: { ...this.#ownEnvironment, GIT_DIR: folder } };
    }).ask(question, length);
  }

  /** The same in the user's git directory, for commands that read no file of the checkout. */
  askUser(args: readonly string[], question: string, length: AnswerLength): Promise<Buffer> {
    assert(readsNoFile.has(args[0] ?? ""), "a long-lived git reads none of the user's files");
    const { gitDir } = this.place;
    return this.#stays(args, () => ({ folder: gitDir, environment: this.#userEnvironment })).ask(
      question,
      length,
    );
  }

  #stays(args: readonly string[], place: () => Pick<Call, "folder" | "environment">): LongLivedGit {
    const key = args.join(" ");
    const known = this.#longLived.get(key);
    if (known) return known;
    const made = new LongLivedGit({
      open: (listener) =>
        this.commands.open({ argv: gitArgv(args), ...place(), ...this.#programs, ...listener }),
      failure: (code, stderr) => new GitFailed(shown(args), code, stderr),
    });
    this.#longLived.set(key, made);
    return made;
  }

  #checkedHome(): string {
    assert(this.guards, "our own git directory is made before it is used");
    this.guards.home.check();
    return this.guards.home.folder;
  }
}

/** Commands that read only objects, refs and settings: they never run a filter, whatever is configured. */
const readsNoFile = new Set(["cat-file", "config", "for-each-ref", "ls-tree", "rev-parse", "update-ref"]);

/** Every word of a filter's command that may be a program's name or an absolute path. */
function wordsOf(commands: readonly string[]): string[] {
  const words = commands.flatMap((command) => command.split(/[\s"'`=;|&(){}<>$]+/));
  return [...new Set(words.filter((word) => /^(\/|[^/-][^/]*$)/.test(word)))];
}

/** For use before the paths are known: git searches for the repository from `folder` upwards. */
export function askGit(
  commands: Commands,
  question: {
    readonly args: readonly string[];
    readonly folder: string;
    readonly environment: GitEnvironment;
    readonly answers?: readonly number[];
  },
): Promise<CommandEnd> {
  const { args, folder, environment, answers = [] } = question;
  return runGit(commands, {
    args,
    folder,
    environment: userEnvironment(environment),
    options: { answers },
    lookIn: absolutePath(environment.PATH),
    starts: [],
  });
}

export class GitFailed extends Error {
  override name = "GitFailed";
  readonly code = "GIT_FAILED";

  constructor(
    readonly command: string,
    readonly exitCode: number,
    readonly stderr: string,
  ) {
    super(`git ${command} failed with exit code ${exitCode}: ${tellingLine(stderr)}`);
  }
}

export function linesOf(stdout: Uint8Array): string[] {
  return Buffer.from(stdout)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
}

interface Call {
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly options: GitOptions;
  readonly lookIn: string;
  readonly starts: readonly string[];
}

/** More than any capture may hold; git prints nothing longer than file contents. */
const outputBytesMax = 1024 * 1024 * 1024;

async function runGit(commands: Commands, call: Call): Promise<CommandEnd> {
  const { args, folder, environment, options, lookIn, starts } = call;
  const { input, answers = [] } = options;
  const ended = await commands
    .run({
      argv: gitArgv(args),
      folder,
      environment,
      lookIn,
      starts,
      bytesMax: outputBytesMax,
      ...(input === undefined ? {} : { input: typeof input === "string" ? Buffer.from(input) : input }),
    })
    .catch((error: unknown) => {
      if (errnoOf(error) !== "ENOENT") throw error;
      throw new GitFailed(shown(args), 127, `git could not be started in ${oneLine(folder)}`);
    });
  if (ended.code === 0 || answers.includes(ended.code)) return ended;
  throw new GitFailed(shown(args), ended.code, ended.stderr);
}

function gitArgv(args: readonly string[]): readonly ["git", ...string[]] {
  return ["git", ...settings, ...args];
}

/** Makes objects and refs survive a power cut: `batch` flushes the disk once for all objects of a call. */
const settings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.fsync=loose-object,pack,reference",
  "core.fsyncMethod=batch",
  "core.safecrlf=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "commit.gpgSign=false",
  "submodule.recurse=false",
  "protocol.allow=never",
].flatMap((setting) => ["-c", setting]);

function cleanEnvironment(given: GitEnvironment): Record<string, string> {
  return {
    ...picked(given, ["TMPDIR"]),
    // Git knows where its own parts are; PATH is only used to find a filter's program.
    PATH: systemFolders.join(":"),
    LC_ALL: "C",
    // Overrides settings for single protocols; together with the next one, no program fetches any object.
    GIT_ALLOW_PROTOCOL: "",
    GIT_NO_LAZY_FETCH: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
  };
}

/** Adds the variables that say where the user's configuration is. */
function userEnvironment(given: GitEnvironment): Record<string, string> {
  const whereabouts = [
    "HOME",
    "XDG_CONFIG_HOME",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
  ];
  return { ...cleanEnvironment(given), ...picked(given, whereabouts) };
}

function picked(given: GitEnvironment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = given[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Quotes a path for git's list of paths, where an unquoted colon separates entries. */
function listedPath(path: string): string {
  return path.includes(":") ? `"${path.replace(/[\\"]/g, "\\$&")}"` : path;
}

function shown(args: readonly string[]): string {
  return oneLine(args.join(" "), 120);
}

/** Git may print many warnings before it says what stopped it. */
function tellingLine(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const telling = lines.find((line) => /^(fatal|error):/.test(line)) ?? lines[0];
  return telling === undefined ? "it said nothing" : oneLine(telling.replace(/^(fatal|error): /, ""));
}
