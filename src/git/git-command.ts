/**
 * Runs git, always in a clean environment: no variable of ours reaches it, no hook, file monitor, prompt, signature
 * or background maintenance is started by it. Names go in on stdin, never as arguments.
 *
 * `user` works on the user's repository with the user's configuration; `own` on our git directory, with ours alone.
 */
import { oneLine } from "../std/printable.ts";
import type { CommandEnd, Commands } from "../world/commands.ts";
import { errnoOf } from "../world/errno.ts";
import type { Place } from "./place.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface GitOptions {
  readonly input?: Uint8Array | string;
  readonly index?: string;
  readonly workTree?: string;
  /** Exit codes that are answers, besides 0. */
  readonly answers?: readonly number[];
}

export class GitCommand {
  readonly #userEnvironment: Readonly<Record<string, string>>;
  readonly #ownEnvironment: Readonly<Record<string, string>>;

  constructor(
    private readonly commands: Commands,
    private readonly place: Place,
    environment: Environment,
  ) {
    this.#userEnvironment = {
      ...userEnvironment(environment),
      GIT_DIR: place.gitDir,
      GIT_WORK_TREE: place.root,
    };
    this.#ownEnvironment = {
      ...cleanEnvironment(environment),
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_DIR: place.home,
      GIT_OBJECT_DIRECTORY: place.objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: listedPath(`${place.home}/objects`),
    };
  }

  user(args: readonly string[], options: GitOptions = {}): Promise<CommandEnd> {
    return runGit(this.commands, {
      args,
      folder: this.place.root,
      environment: this.#userEnvironment,
      options,
    });
  }

  own(args: readonly string[], options: GitOptions = {}): Promise<CommandEnd> {
    const { index, workTree } = options;
    return runGit(this.commands, {
      args,
      folder: workTree ?? this.place.home,
      environment: {
        ...this.#ownEnvironment,
        ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
        ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
      },
      options,
    });
  }
}

/** Before the place is known: git looks for the repository from `folder` upwards. */
export function askGit(
  commands: Commands,
  question: {
    readonly args: readonly string[];
    readonly folder: string;
    readonly environment: Environment;
    readonly answers?: readonly number[];
  },
): Promise<CommandEnd> {
  const { args, folder, environment, answers = [] } = question;
  return runGit(commands, { args, folder, environment: userEnvironment(environment), options: { answers } });
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
}

/** More than any capture may hold; git prints nothing longer than contents. */
const outputBytesMax = 1024 * 1024 * 1024;

async function runGit(commands: Commands, { args, folder, environment, options }: Call): Promise<CommandEnd> {
  const { input, answers = [] } = options;
  const ended = await commands
    .run({
      argv: ["git", ...settings, ...args],
      folder,
      environment,
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

/**
 * Objects and refs survive a power cut: `batch` flushes the disk once for all objects of one call.
 */
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

function cleanEnvironment(given: Environment): Record<string, string> {
  return {
    ...picked(given, ["PATH", "TMPDIR"]),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
  };
}

/** With what says where the user's own configuration is. */
function userEnvironment(given: Environment): Record<string, string> {
  const whereabouts = [
    "HOME",
    "XDG_CONFIG_HOME",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
  ];
  return { ...cleanEnvironment(given), ...picked(given, whereabouts) };
}

function picked(given: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = given[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** As git reads a list of paths: a colon separates, and quotes keep it from doing so. */
function listedPath(path: string): string {
  return path.includes(":") ? `"${path.replace(/[\\"]/g, "\\$&")}"` : path;
}

function shown(args: readonly string[]): string {
  return oneLine(args.join(" "), 120);
}

/** git may warn at length before it says what stopped it. */
function tellingLine(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const telling = lines.find((line) => /^(fatal|error):/.test(line)) ?? lines[0];
  return telling === undefined ? "it said nothing" : oneLine(telling.replace(/^(fatal|error): /, ""));
}
