/**
 * A repository with a plan and a crew, in its own folder together with HOME and every other place where a program may
 * keep something: the machine's own configuration does not matter, and nothing is left behind.
 */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll } from "vitest";
import { verifyLog } from "../../src/journal/verify-log.ts";
import { openFiles } from "../../src/world/files/choose-files.ts";
import { type AgentProgramSpec, agentPath, writeAgent } from "./agent-program.ts";
import { folderWith } from "./folder.ts";
import { cox, type Ended, type Run, start } from "./program.ts";

export interface RunWorldOptions {
  /** Leave it out to have no plan yet. */
  readonly plan?: string;
  /** Additional files of the first commit. */
  readonly files?: Readonly<Record<string, string>>;
  /** What each agent does, by name. Without any, and without `config`, there is no configuration. */
  readonly agents?: Readonly<Record<string, AgentProgramSpec>>;
  /** More lines for `.coxswain/config.yaml`. */
  readonly config?: string;
  /** The roles of agents that are not developers. */
  readonly roles?: Readonly<Record<string, string>>;
}

/** For the configuration of a run whose agents leave something for the test in `$HOME/seen`. */
export const opensSeen = "also-writable: ~/seen\n";

type Extra = Pick<Run, "env" | "stdin" | "under">;
/** The program, run in the repository. */
type TypedCommand = Pick<RunWorld, "cox" | "start">;

export class RunWorld {
  readonly root: string;
  readonly cache: string;
  readonly home: string;
  /**
   * Agents see at once what a test puts here, as `$HOME/../state/coxswain/…`: it is read-only for them, and not a
   * layer.
   */
  readonly signals: string;
  readonly env: Readonly<Record<string, string>>;

  /** For all tests of a group; call it before them. */
  static kept(spec: RunWorldOptions): RunWorld {
    const folder = mkdtempSync(join(tmpdir(), "cox-e2e-"));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    return new RunWorld(spec, folder);
  }

  constructor(
    { plan, files = {}, agents = { dev: writesItsTask }, config = "", roles = {} }: RunWorldOptions,
    readonly folder = folderWith(),
  ) {
    this.root = join(folder, "repository");
    this.cache = join(folder, "cache");
    this.home = join(folder, "home");
    this.signals = join(folder, "state/coxswain");
    for (const path of [this.root, this.home, join(this.home, "seen"), this.signals])
      mkdirSync(path, { recursive: true });
    this.env = {
      HOME: this.home,
      TZ: "UTC",
      XDG_CACHE_HOME: this.cache,
      XDG_STATE_HOME: join(this.folder, "state"),
      XDG_CONFIG_HOME: join(this.home, ".config"),
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
    };
    const crew = Object.entries(agents).map(([name, spec]) => {
      const path = agentPath(folder, name, spec);
      return `  ${name}: ${writeAgent(path, spec, roles[name] ?? "developer")}\n`;
    });
    const configured = `${crew.length > 0 ? `agents:\n${crew.join("")}` : ""}${config}`;
    this.write({
      ...(plan === undefined ? {} : { "plan.md": plan }),
      ...(configured === "" ? {} : { ".coxswain/config.yaml": configured }),
      ...files,
    });
    this.git("init", "-q", "-b", "main");
    appendFileSync(join(this.root, ".git/config"), someUser);
    this.commitAll("begin");
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) writeAt(join(this.root, path), text);
  }

  /** Takes a path relative to the root, or an absolute one. */
  read(path: string): string {
    return readFileSync(resolve(this.root, path), "utf8");
  }

  commitAll(message: string): void {
    this.git("add", "-A");
    this.git("commit", "-q", "-m", message);
  }

  /** What git prints, without the last newline. */
  git(...args: string[]): string {
    const { PATH = "" } = process.env;
    // Its complaints do not matter in a test that passes.
    return execFileSync("git", [...withoutCare, ...args], {
      cwd: this.root,
      env: { PATH, ...this.env },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).replace(/\n$/, "");
  }

  cox(...args: readonly string[]): Promise<Ended> {
    return this.with({}).cox(...args);
  }

  start(...args: readonly string[]): ReturnType<typeof start> {
    return this.with({}).start(...args);
  }

  /** Runs the program in another environment, or under another program. */
  with(extra: Extra): TypedCommand {
    const run = this.#run(extra);
    return { cox: (...args) => cox(args, run), start: (...args) => start(args, run) };
  }

  /** The parsed JSON document that a command prints. */
  async json(...args: readonly string[]) {
    return JSON.parse((await this.cox(...args, "--json")).stdout);
  }

  #run({ env, ...extra }: Extra): Run {
    return { cwd: this.root, ...extra, env: { ...this.env, ...env } };
  }

  /** The name of the only run; `undefined` before it has begun. */
  findRun(): string | undefined {
    const runs = join(this.root, ".coxswain/runs");
    if (!existsSync(runs)) return undefined;
    return readdirSync(runs).find((name) => existsSync(join(runs, name, "events.jsonl")));
  }

  get run(): string {
    const run = this.findRun();
    if (run === undefined) throw new Error("no run has begun");
    return run;
  }

  path(name: string): string {
    return join(this.root, ".coxswain/runs", this.run, name);
  }

  logText(): string {
    return this.findRun() === undefined ? "" : readFileSync(this.path("events.jsonl"), "utf8");
  }

  /** The complete records, even while the log is being written. */
  events(): Logged[] {
    return this.logText()
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Logged);
  }

  eventsOf(name: string): Record<string, unknown>[] {
    return this.events().flatMap(({ event, data }) => (event === name ? [data] : []));
  }

  /** `undefined` if the log is sound. */
  logDamage(): unknown {
    return verifyLog({ files: openFiles(), folder: this.path(".") }).damage;
  }

  get branch(): string {
    return `cox/${this.run}`;
  }

  /** The tasks that the commits of the run name, oldest first. */
  committedTasks(): string[] {
    const format = "--format=%(trailers:key=Coxswain-Task,valueonly,separator=%x2C)";
    const text = this.git("log", "--reverse", format, `main..${this.branch}`);
    return text === "" ? [] : text.split("\n");
  }

  /** The content of a commit, without the configuration, which names this world's own folder. */
  tree(of = this.branch): string[] {
    const rows = this.git("ls-tree", "-r", of).split("\n");
    return rows.filter((row) => !row.includes("\t.coxswain/"));
  }

  show(path: string, of = this.branch): string {
    return this.git("show", `${of}:${path}`);
  }

  /** The desks in use in the only run, without those that wait to be reused. */
  desks(): string[] {
    const below = join(this.cache, "coxswain/desks");
    const [repository = ""] = existsSync(below) ? readdirSync(below) : [];
    const folder = join(below, repository, this.run);
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  /** The ids of processes that were started for the run and still exist. */
  processes(): number[] {
    return processesWith(`COX_RUN=${this.run}`);
  }
}

export interface Logged {
  readonly seq: number;
  readonly at: string;
  readonly fence: number;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** After a commit, git starts another program to check whether it should tidy up. This turns that off. */
const withoutCare = ["-c", "maintenance.auto=false"];

/** As `git config` would write it, which would cost two more processes for every world. */
const someUser = "[user]\n\tname = Somebody\n\temail = somebody@example.com\n";

/** Does something in every task. */
export const writesItsTask = `cat > /dev/null
echo "$COX_TASK" > "$COX_TASK.txt"
echo "Wrote $COX_TASK.txt."
`;

/** Processes whose initial environment contains this line. */
function processesWith(line: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => `\0${readQuietly(`/proc/${pid}/environ`)}`.includes(`\0${line}\0`))
    .map(Number);
}

/** Processes may end while we look. */
function readQuietly(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function writeAt(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
