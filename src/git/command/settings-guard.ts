/**
 * The user's git settings that start programs, as they were when cox started. Filters are the only such settings that
 * the commands we run in the user's repository obey; the rest is switched off for each command, see `git-command.ts`.
 *
 * Before each use, the bytes of the files that these settings come from are compared. Git is asked for the current
 * settings only if some differ. A user who changes a branch or a name is not interrupted; if a filter changed, git is
 * not started and the error says why.
 */
import { oneLine } from "../../std/printable.ts";
import { bytePath } from "../../world/files/byte-path.ts";
import { errnoOf } from "../../world/files/errno.ts";
import { sha256 } from "../../world/files/hash.ts";
import type { FolderTrees } from "../../world/folders/folder-trees.ts";
import { filterPrograms, type UserSettings } from "./user-settings.ts";

export interface GuardedSettings {
  readonly trees: FolderTrees;
  readonly first: UserSettings;
  /** Asks git for the current settings. */
  read(): Promise<UserSettings>;
}

export class SettingsGuard {
  #files: ReadonlyMap<string, string>;

  constructor(private readonly guarded: GuardedSettings) {
    this.#files = marksOf(guarded.trees, guarded.first.files);
  }

  /** Throws GIT_SETTINGS_CHANGED. Costs no git process when none of the files changed. */
  async check(): Promise<void> {
    const { trees, first, read } = this.guarded;
    const marks = marksOf(trees, [...this.#files.keys()]);
    if ([...marks].every(([path, mark]) => this.#files.get(path) === mark)) return;
    const now = await read();
    const [was, is] = [filterPrograms(first), filterPrograms(now)];
    const key = [...new Set([...was.keys(), ...is.keys()])].find((one) => was.get(one) !== is.get(one));
    if (key !== undefined) throw settingsChanged(key, (is.has(key) ? now : first).origins.get(key));
    this.#files = marksOf(trees, now.files);
  }
}

function marksOf(trees: FolderTrees, files: readonly string[]): Map<string, string> {
  return new Map(files.map((path) => [path, markOf(trees, path)]));
}

/** Follows links, as git does. */
function markOf(trees: FolderTrees, path: string): string {
  try {
    return sha256(trees.read(bytePath(path)));
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    return errno;
  }
}

function settingsChanged(key: string, file = "git's configuration"): Error {
  const message = `git was not started: ${oneLine(key, 120)} in ${oneLine(file, 300)} is not what it was when cox started, and git would run it`;
  const hint = "If it was not you, an agent wrote it: remove it. Then resume the run: cox resume";
  return Object.assign(new Error(message), { code: "GIT_SETTINGS_CHANGED", hint });
}
