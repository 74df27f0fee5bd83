/**
 * Those of the user's settings that decide which bytes a file has, in git and in a checkout, and which files are
 * ignored. Nothing else of the user's configuration is in force where agents' work is read: no alias, no merge
 * driver, no monitor.
 */
import type { Environment, GitCommand } from "./git-command.ts";

export interface UserSettings {
  /** Keys as git writes them (section and variable in lower case), the last value of each. */
  readonly all: ReadonlyMap<string, string>;
  /** What our own configuration takes over. */
  readonly bytes: ReadonlyMap<string, string>;
}

/** One process. */
export async function userSettings(git: GitCommand, environment: Environment): Promise<UserSettings> {
  const { stdout } = await git.user(["config", "--list", "-z", "--show-scope"]);
  const all = new Map<string, string>();
  const words = Buffer.from(stdout).toString("utf8").split("\0");
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [scope, entry = ""] = [words[at], words[at + 1]];
    // What we say ourselves with each command is not the user's.
    if (scope === "command") continue;
    const end = entry.indexOf("\n");
    // A key without `=` is true.
    if (end < 0) all.set(entry, "true");
    else all.set(entry.slice(0, end), entry.slice(end + 1));
  }

  const bytes = new Map([...all].filter(([key]) => decidesBytes(key)));
  const config = environment.XDG_CONFIG_HOME || (environment.HOME && `${environment.HOME}/.config`);
  for (const [key, name] of personal) {
    const path = all.get(key) ?? (config && `${config}/git/${name}`);
    if (path) bytes.set(key, path.replace(/^~(?=\/)/, environment.HOME ?? "~"));
  }
  return { all, bytes };
}

/** Files of the user's own, used also where no setting names them. */
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
  // Decides the modes of object files, not bytes: we write into a store that a group may share.
  "core.sharedrepository",
]);

function decidesBytes(key: string): boolean {
  return exact.has(key) || /^filter\..+\.(clean|smudge|process|required)$/.test(key);
}
