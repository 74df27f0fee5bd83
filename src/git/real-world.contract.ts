/** A real repository in a temporary folder, with a user and agents who change files directly. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { commitId } from "../std/object-id.ts";
import { nodeFolderTrees } from "../world/folders/node-folder-trees.ts";
import { nodeCommands } from "../world/processes/node-commands.ts";
import { type OpenRepositoryResult, openRepository } from "./open-repository.ts";
import { bytesOf, type RepositoryWorld, startFiles } from "./repository.contract.ts";
import type { Desk, Repository } from "./repository.ts";

export interface RealWorld extends RepositoryWorld {
  /** Contains everything of this world. */
  readonly folder: string;
  readonly root: string;
  readonly cache: string;
  /** Runs git as the user would, in the checkout or elsewhere, and returns its output. */
  git(args: readonly string[], folder?: string): string;
  /** `more` is added to our own environment. */
  open(root?: string, more?: Readonly<Record<string, string>>): Promise<OpenRepositoryResult>;
}

/** `prepare` runs before the first commit; `from` opens the repository from another folder than the checkout's. */
export async function realWorld(
  options: { prepare?(world: Pick<RealWorld, "git" | "root" | "folder">): void; from?: string } = {},
): Promise<RealWorld> {
  const folder = mkdtempSync(join(tmpdir(), "cox git-"));
  const root = join(folder, "user's checkout");
  const cache = join(folder, "cache");
  const environment = {
    PATH: process.env.PATH,
    HOME: join(folder, "home"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_DATE: "2024-01-01T00:00:00Z",
    GIT_COMMITTER_DATE: "2024-01-01T00:00:00Z",
  };
  const git = (args: readonly string[], at = root) =>
    execFileSync("git", [...withoutCare, ...args], {
      cwd: at,
      env: environment,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });

  for (const path of [root, environment.HOME]) mkdirSync(path);
  writeFileSync(
    join(environment.HOME, ".gitconfig"),
    "[user]\n\tname = User\n\temail = user@example.invalid\n",
  );
  git(["init", "-q", "-b", "main"]);
  for (const [path, text] of Object.entries(startFiles)) put(join(root, path), text);
  options.prepare?.({ git, root, folder });
  git(["add", "-A"]);
  git(["commit", "-q", "--allow-empty", "-m", "Begin"]);

  const from = join(folder, options.from ?? "user's checkout");
  const open = (at = from, more: Readonly<Record<string, string>> = {}) =>
    openRepository(
      { commands: nodeCommands, trees: nodeFolderTrees },
      { root: at, cache, environment: { ...environment, ...more } },
    );
  const opened = async (): Promise<Repository> => {
    const answer = await open();
    if ("problem" in answer) throw new Error(answer.problem.message);
    return answer.repository;
  };

  return {
    folder,
    root,
    cache,
    git,
    open,
    repository: await opened(),
    again: opened,
    put: (desk, path, text, mode) => put(join(desk.folder, path), text, mode),
    remove: (desk, path) => rmSync(join(desk.folder, path), { recursive: true, force: true }),
    filesAt: (desk: Desk) => filesIn(desk.folder),
    userPut: (path, text) => put(join(root, path), text),
    userRemove: (path) => rmSync(join(root, path)),
    userFiles: () => filesIn(root),
    userCommit: async (message) => {
      git(["add", "-A"]);
      git(["commit", "-q", "-m", message]);
      return commitId(git(["rev-parse", "HEAD"]).trim());
    },
    end: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** After a commit, git would otherwise start a program of its own to look for maintenance work. */
const withoutCare = ["-c", "maintenance.auto=false"];

export function put(path: string, text: string | Uint8Array, mode: number = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  if (mode === 0o120000) {
    rmSync(path, { force: true });
    symlinkSync(Buffer.from(bytesOf(text)), path);
    return;
  }
  writeFileSync(path, bytesOf(text));
  chmodSync(path, mode);
}

/** Every file below a folder as text, links as `→ target`, without git's own files. */
export function filesIn(folder: string, inside = ""): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of readdirSync(join(folder, inside)).sort()) {
    if (inside === "" && name === ".git") continue;
    const path = inside === "" ? name : `${inside}/${name}`;
    const at = join(folder, path);
    const stat = lstatSync(at);
    if (stat.isSymbolicLink()) files.set(path, `→ ${readlinkSync(at)}`);
    else if (stat.isDirectory()) for (const [below, text] of filesIn(folder, path)) files.set(below, text);
    else if (stat.isFile()) files.set(path, readFileSync(at, "utf8"));
  }
  return files;
}
