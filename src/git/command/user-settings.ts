/**
 * The user's settings that decide which bytes a file has, in git and in a checkout, and which files are ignored. No
 * other user configuration applies where agents' work is read: no alias, no merge driver, no monitor.
 */
import { resolve } from "node:path";
import type { CheckoutPaths } from "./checkout-paths.ts";
import type { GitCommand, GitEnvironment } from "./git-command.ts";

export interface UserSettings {
  /** Keys as git writes them (section and variable in lower case), each with its last value. */
  readonly all: ReadonlyMap<string, string>;
  /** The settings that our own configuration takes over. */
  readonly bytes: ReadonlyMap<string, string>;
  /** For each key, the file that holds the last value. */
  readonly origins: ReadonlyMap<string, string>;
  /** The files that git reads settings from, whether they exist or not. */
  readonly files: readonly string[];
}

/** Costs one git process. */
export async function userSettings(
  git: GitCommand,
  place: CheckoutPaths,
  environment: GitEnvironment,
): Promise<UserSettings> {
  const { stdout } = await git.user(["config", "--list", "-z", "--show-scope", "--show-origin"]);
  const all = new Map<string, string>();
  const origins = new Map<string, string>();
  const words = Buffer.from(stdout).toString("utf8").split("\0");
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [scope, origin = "", entry = ""] = [words[at], words[at + 1], words[at + 2]];
    // Settings that we pass with each command are not the user's.
    if (scope === "command") continue;
    const end = entry.indexOf("\n");
    const key = end < 0 ? entry : entry.slice(0, end);
    // A key without `=` is true.
    all.set(key, end < 0 ? "true" : entry.slice(end + 1));
    origins.set(key, resolve(place.root, origin.replace(/^file:/, "")));
  }

  const bytes = new Map([...all].filter(([key]) => decidesBytes(key)));
  const config = environment.XDG_CONFIG_HOME || (environment.HOME && `${environment.HOME}/.config`);
  for (const [key, name] of personal) {
    const path = all.get(key) ?? (config && `${config}/git/${name}`);
    if (path) bytes.set(key, path.replace(/^~(?=\/)/, environment.HOME ?? "~"));
  }
  const usual = [
    `${place.commonDir}/config`,
    `${place.gitDir}/config.worktree`,
    ...(environment.GIT_CONFIG_GLOBAL ? [environment.GIT_CONFIG_GLOBAL] : []),
    ...(environment.HOME ? [`${environment.HOME}/.gitconfig`] : []),
    ...(config ? [`${config}/git/config`] : []),
  ];
  return { all, bytes, origins, files: [...new Set([...usual, ...origins.values()])] };
}

/** The commands that filters run, by key. */
export function filterPrograms({ all }: Pick<UserSettings, "all">): Map<string, string> {
  return new Map([...all].filter(([key]) => /^filter\..+\.(clean|smudge|process)$/.test(key)));
}

/** The user's personal files, used even if no setting names them. */
const personal = [
  ["core.excludesfile", "ignore"],
  ["core.attributesfile", "attributes"],
] as const;

const exact = new Set([
  "core.autocrlf",
  "core.eol",
  "core.filemode",
  "core.symlinks",
  "core.ignorecase",
  "core.precomposeunicode",
  "core.checkroundtripencoding",
  // Decides the modes of object files, not bytes: a group may share the store that we write to.
  "core.sharedrepository",
]);

function decidesBytes(key: string): boolean {
  return exact.has(key) || /^filter\..+\.(clean|smudge|process|required)$/.test(key);
}
