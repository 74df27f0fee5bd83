/**
 * Everything that an agent might reach from its desk: a user's home with two repositories, desks of a run, and the
 * user's processes and servers. All of it is made for this and removed afterwards.
 */
import { type ChildProcess, execFileSync, type StdioOptions, spawn, spawnSync } from "node:child_process";
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { openRepository } from "../../src/git/open-repository.ts";
import type { Desk, Repository } from "../../src/git/repository.ts";
import { nodeFolderTrees } from "../../src/world/folders/node-folder-trees.ts";
import { nodeCommands } from "../../src/world/processes/node-commands.ts";
import { systemProgram } from "../../src/world/sandbox/sandbox.ts";
import { obeyedFiles } from "./attempts/program-homes.ts";

/** A secret of a user's process and of the coordinator, which no agent may learn. */
export const secret = "canary-4711";
/** A descriptor number that Node leaves alone when it starts. */
export const leftOpen = 40;

export interface Scene {
  readonly repository: Repository;
  readonly desk: Desk;
  readonly scratch: string;
  /** The variables that an attempt's script can use. */
  readonly variables: Readonly<Record<string, string>>;
  /** The coordinator's own environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Another home, with empty folders for programs. */
  readonly bareHome: string;
  readonly cache: string;
  readonly state: string;
  /** What the servers and the coordinator itself received, keyed by the variable that names them. */
  readonly heard: ReadonlyMap<string, string>;
  readonly victims: ReadonlyMap<string, ChildProcess>;
  /** Makes the coordinator read what the agent left at its desk. */
  capture(): Promise<void>;
  close(): void;
}

export function repositoryIn(root: string): string {
  return join(root, "home/projects/app");
}

export async function makeScene(root: string): Promise<Scene> {
  const home = join(root, "home");
  const repo = repositoryIn(root);
  const cache = join(home, ".cache/coxswain");
  const state = join(home, ".local/state/coxswain");
  const otherRepo = join(home, "projects/other");
  const environment = {
    HOME: home,
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    SHELL: "/bin/sh",
    COX_ESCAPE_SECRET: secret,
    GITHUB_TOKEN: secret,
  };
  writeAll(home, homeFiles);
  const bareHome = join(root, "bare");
  for (const folder of programFolders) mkdirSync(join(bareHome, folder), { recursive: true });
  writeAll(repo, repositoryFiles);
  writeAll(otherRepo, { "README.md": "Another.\n" });
  writeAll(root, { "outside/file.txt": "" });
  mkdirSync(join(home, "opened"));
  const tool = join(home, "bin/sleep");
  mkdirSync(dirname(tool));
  copyFileSync(systemProgram("sleep") ?? "/bin/sleep", tool);
  for (const folder of [repo, otherRepo]) commitAll(folder, environment);
  const opened = await openRepository(
    { commands: nodeCommands, trees: nodeFolderTrees },
    { root: repo, cache, environment },
  );
  if ("problem" in opened) throw new Error(opened.problem.message);
  const { repository } = opened;
  const { tree, desk, other, verify } = await openDesks(repository);
  const scratch = `${desk.folder}.scratch`;
  for (const folder of [scratch, `${other.folder}.scratch`]) mkdirSync(folder);
  writeAll(state, { "trust.json": "{}\n", "replaced.json": "{}\n" });
  writeAll(cache, {
    "setups/one/node_modules/tool.js": "",
    "layers/cox-layer-1-1-other/0/upper/.bashrc": "",
  });

  const servers = await listen({ root, home, repo });
  const user = startUser({ root, repo, environment });
  return {
    repository,
    desk,
    scratch,
    environment,
    bareHome,
    cache,
    state,
    heard: servers.heard,
    victims: user.victims,
    variables: {
      ...{ ROOT: root, HOME: home, REPO: repo, ABOVE: dirname(repo), OTHER_REPO: otherRepo },
      ...{ CACHE: cache, STATE: state, OPENED: join(home, "opened"), TOOL: tool, LOOT: join(root, "loot") },
      ...{ OWN_GIT: ownGitOf(repository, cache), DESK: desk.folder, SCRATCH: scratch },
      ...{ OTHER_DESK: other.folder, VERIFY_DESK: verify.folder, BARE: bareHome },
      // Named as Claude Code names the folder of a project's conversations.
      DESK_PROJECT: desk.folder.replaceAll(/[^a-zA-Z0-9]/g, "-"),
      ...{
        COORDINATOR: String(process.pid),
        LEFT_OPEN: String(leftOpen),
        PROBE: `cox-escape-${process.pid}`,
      },
      ...servers.variables,
      ...user.variables,
    },
    async capture() {
      try {
        await repository.capture(desk, tree);
      } catch (error) {
        // Without a sandbox, the attempts have changed what git would obey there. So git was not started, and obeyed
        // nothing.
        if (!(error instanceof Error && "code" in error && error.code === "GIT_HOME_CHANGED")) throw error;
      }
    },
    close() {
      servers.close();
      user.close();
    },
  };
}

const homeFiles = {
  ...Object.fromEntries(obeyedFiles.map((name) => [name, ""])),
  ".claude/.credentials.json": "{}",
  ...{ ".profile": "", ".bashrc": "", ".zshenv": "", ".vimrc": "", ".npmrc": "" },
  ".gitconfig": "[user]\n\tname = me\n\temail = me@localhost\n",
  ".config/git/config": "[user]\n\tname = me\n\temail = me@localhost\n",
  ...{ ".ssh/authorized_keys": "", ".ssh/config": "" },
  ...{ ".npm/_cacache/content": "", ".cargo/registry/src/lib.rs": "", "go/pkg/mod/one.go": "" },
  ...{ ".claude/settings.json": "{}", ".codex/config.toml": "", ".gemini/settings.json": "{}" },
  ".local/bin/tool": "#!/bin/sh\n",
};

const programFolders = [
  ...[".claude", ".codex", ".gemini", ".local/share/opencode", ".config/opencode", ".gradle", ".yarn"],
];

const repositoryFiles = {
  ...{ "README.md": "Here.\n", ".coxswain/config.yaml": "verify: true\n" },
  ...{ "written.txt": "", "replaced.txt": "", "removed.txt": "", "hard.txt": "", "soft.txt": "" },
  ...{ "reopened.txt": "", "open.txt": "", ".coxswain/runs/run-1/events.jsonl": "" },
};

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: name.includes("/bin/") ? 0o755 : 0o644 });
  }
}

function commitAll(folder: string, environment: Readonly<Record<string, string>>): void {
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { env: environment });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "Begin");
}

/** The agent's own desk, one of another task, and the one where verify commands run. */
async function openDesks(repository: Repository) {
  const { commit } = await repository.head();
  await repository.beginRun("run-1", commit);
  const tree = await repository.treeOf(commit);
  const open = (name: string, purpose: "work" | "verify") =>
    repository.openDesk({ run: "run-1", name, base: commit, tree, keep: false, purpose });
  return {
    tree,
    desk: await open("own", "work"),
    other: await open("other", "work"),
    verify: await open("verify", "verify"),
  };
}

function ownGitOf({ guarded }: Repository, cache: string): string {
  const own = guarded.find((path) => path.startsWith(`${cache}/repositories/`));
  if (own === undefined) throw new Error("the run's own git directory is guarded");
  return own;
}

interface Listeners {
  readonly heard: ReadonlyMap<string, string>;
  readonly variables: Readonly<Record<string, string>>;
  close(): void;
}

async function listen(at: Readonly<Record<"root" | "home" | "repo", string>>): Promise<Listeners> {
  const heard = new Map<string, string>();
  const hear = (name: string, words: string) => heard.set(name, (heard.get(name) ?? "") + words);
  const serverOf = (name: string) =>
    createServer((socket) => {
      socket.on("data", (bytes) => hear(name, bytes.toString()));
      socket.on("error", () => {});
    });
  const name = `cox-escape-${process.pid}`;
  const paths = {
    HOME_SOCKET: join(at.home, "s"),
    TEMPORARY_SOCKET: `/tmp/${name}`,
    REPO_SOCKET: join(at.repo, ".git/s"),
    ABSTRACT_SOCKET: `@${name}`,
    ...(process.getuid?.() === 0 && { RUN_SOCKET: `/run/${name}` }),
  };
  const servers: Server[] = [];
  for (const [variable, path] of Object.entries(paths)) {
    const server = serverOf(variable).listen(path.replace(/^@/, "\0"));
    await new Promise((resolve, reject) => server.once("listening", resolve).once("error", reject));
    servers.push(server);
  }
  const loopback = serverOf("LOOPBACK_PORT").listen(0, "127.0.0.1");
  await new Promise((resolve) => loopback.once("listening", resolve));
  const address = loopback.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const signals = ["SIGUSR2", "SIGWINCH"] as const;
  const onSignal = (signal: string) => hear(signal, signal);
  for (const signal of signals) process.on(signal, onSignal);
  return {
    heard,
    variables: { RUN_SOCKET: `/run/${name}`, ...paths, LOOPBACK_PORT: String(port) },
    close() {
      for (const server of [...servers, loopback]) server.close();
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}

interface User {
  readonly victims: ReadonlyMap<string, ChildProcess>;
  readonly variables: Readonly<Record<string, string>>;
  close(): void;
}

interface UserPlaces {
  readonly root: string;
  readonly repo: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The user's processes: a few idle ones, a terminal, a tmux server, and a message queue. */
function startUser({ root, repo, environment: env }: UserPlaces): User {
  const name = `victim-of-${process.pid}`;
  const file = openSync(join(repo, "open.txt"), "r");
  const start = (argv: readonly string[], stdio: StdioOptions = "ignore") =>
    spawn(argv[0] ?? "", argv.slice(1), { cwd: repo, env, detached: true, stdio });
  const asleep = ["sleep", "1000"];
  const victims = new Map<string, ChildProcess>([
    ["VICTIM_KILLED", start(asleep)],
    ["VICTIM_FOUND", start(["sh", "-c", "sleep 1000; :", name])],
    ["VICTIM_FILE", start(asleep, [...Array<"ignore">(7).fill("ignore"), file])],
    ["VICTIM_FOLDER", start(asleep)],
  ]);
  closeSync(file);
  const terminal = startTerminal(root, env);
  const tmux = join(root, "tmux");
  const hasTmux = systemProgram("tmux") !== undefined;
  if (hasTmux) spawnSync("tmux", ["-S", tmux, "-f", "/dev/null", "new-session", "-d", "sleep 1000"], { env });
  const queue = /\d+/.exec(spawnSync("ipcmk", ["-Q"], { encoding: "utf8" }).stdout ?? "")?.[0] ?? "";
  return {
    victims,
    variables: {
      ...Object.fromEntries([...victims].map(([variable, { pid }]) => [variable, String(pid)])),
      ...{ VICTIM_NAME: name, TERMINAL: terminal.path, TMUX_SOCKET: tmux, QUEUE: queue },
    },
    close() {
      for (const victim of [...victims.values(), ...terminal.processes]) endGroup(victim);
      if (hasTmux) spawnSync("tmux", ["-S", tmux, "kill-server"], { env, stdio: "ignore" });
      if (queue !== "") spawnSync("ipcrm", ["-q", queue], { stdio: "ignore" });
      const probe = `cox-escape-${process.pid}`;
      for (const path of [
        `/dev/shm/${probe}`,
        `/etc/profile.d/${probe}.sh`,
        `/etc/cron.d/${probe}`,
        `/usr/local/bin/${probe}`,
      ])
        rmSync(path, { force: true });
    },
  };
}

/** What is written to the terminal ends up in the file `typescript`. */
function startTerminal(root: string, env: Readonly<Record<string, string>>) {
  if (systemProgram("script") === undefined) return { path: "", processes: [] };
  const name = join(root, "terminal");
  const script = spawn(
    "script",
    [
      "-q",
      "-f",
      "-c",
      `tty > ${name}.new; mv ${name}.new ${name}; exec sleep 1000`,
      join(root, "typescript"),
    ],
    {
      env,
      detached: true,
      stdio: "ignore",
    },
  );
  return { path: waitForFile(name), processes: [script] };
}

function waitForFile(path: string): string {
  for (let tries = 0; tries < 500; tries++) {
    try {
      return readFileSync(path, "utf8").trim();
    } catch {
      spawnSync("sleep", ["0.02"]);
    }
  }
  return "";
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
