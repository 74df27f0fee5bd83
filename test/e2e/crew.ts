/** A repository with a crew that plays a script, for tests of whole runs. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { folderWith } from "./folder.ts";
import { type Ended, type Run, start } from "./program.ts";

export interface Crew {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  cox(...args: readonly string[]): Promise<Ended>;
  start(...args: readonly string[]): ReturnType<typeof start>;
  git(...args: readonly string[]): string;
  /** What the newest run has recorded so far. */
  events(): readonly { readonly event: string; readonly data: Readonly<Record<string, unknown>> }[];
  /** Lets those go on that are held by that name. */
  release(name: string): void;
  /** Waits until so many events of that name are recorded. */
  recorded(event: string, count?: number): Promise<void>;
}

export interface CrewWish {
  /** The lines below `## Tasks`. */
  readonly tasks: string;
  /** By task, what its developer does, call by call; `default` for those that are not named. */
  readonly script: Readonly<Record<string, readonly (readonly Step[])[]>>;
  readonly config?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

export type Step = Readonly<Record<string, unknown>>;

/** Writes a file and says that it is done. */
export function work(path: string, content = "$COX_TASK\n"): Step[] {
  return [{ write: { path, content } }, { say: "READY FOR AUDIT: $COX_TASK" }];
}

/** Holds the agent until the test calls `crew.release(name)`. */
export function held(name: string): Step {
  return { run: ["sh", "-c", `while [ ! -e "$HOME/${name}" ]; do sleep 0.05; done`] };
}

/** The repository has one commit with everything in it. */
export function crewWith({ tasks, script, config = [], files = {} }: CrewWish): Crew {
  const home = mkdtempSync(join(tmpdir(), "cox-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { default: others, ...named } = Object.fromEntries(
    Object.entries(script).map(([task, developer]) => [task, { developer }]),
  );
  const play = join(home, "script.json");
  writeFileSync(play, JSON.stringify({ tasks: named, ...(others ? { default: others } : {}) }));
  const root = folderWith({
    ".coxswain/config.yaml": [
      ...config,
      "agents:",
      `  dev: { role: developer, driver: scripted, script: ${play} }`,
      "",
    ].join("\n"),
    "plan.md": `# A plan\n\n## Tasks\n\n${tasks}\n`,
    ...files,
  });
  const env = environmentAt(home);
  const git = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync("git", [...args], { cwd: root, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "begin");
  const run: Run = { cwd: root, env };
  const begin = (...args: readonly string[]) => start(args, run);
  return {
    root,
    env,
    git,
    start: begin,
    cox: (...args) => begin(...args).ended,
    events: () => eventsIn(root),
    release: (name) => writeFileSync(join(home, name), ""),
    async recorded(event, count = 1) {
      while (eventsIn(root).filter((one) => one.event === event).length < count) await sleep(30);
    },
  };
}

function environmentAt(home: string): Record<string, string> {
  const { PATH = "" } = process.env;
  const somebody = (role: string) => ({
    [`GIT_${role}_NAME`]: "ana",
    [`GIT_${role}_EMAIL`]: "ana@example.org",
  });
  return {
    PATH,
    HOME: home,
    XDG_CACHE_HOME: join(home, "cache"),
    XDG_STATE_HOME: join(home, "state"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    ...somebody("AUTHOR"),
    ...somebody("COMMITTER"),
  };
}

function eventsIn(root: string): ReturnType<Crew["events"]> {
  const runs = join(root, ".coxswain/runs");
  const [run] = existsSync(runs) ? readdirSync(runs).filter((name) => !name.startsWith(".")) : [];
  const log = join(runs, run ?? "", "events.jsonl");
  if (run === undefined || !existsSync(log)) return [];
  return readFileSync(log, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as ReturnType<Crew["events"]>[number]];
      } catch {
        return [];
      }
    });
}
