/** Our own git directory in the cache folder: a configuration, ignore rules, attributes; no refs, no remotes, no hooks. */
import { bytePath } from "../world/byte-path.ts";
import { errnoOf } from "../world/errno.ts";
import type { FolderTrees } from "../world/folder-trees.ts";
import { configText } from "./config-text.ts";
import type { Place } from "./place.ts";
import type { UserSettings } from "./user-settings.ts";

/** Written anew each time: the user may have changed a setting since. No process. */
export function makeHome(trees: FolderTrees, place: Place, settings: UserSettings): void {
  const { home, commonDir, objects } = place;
  for (const folder of ["refs", "info", "objects/info", "desks", "scratch"]) {
    trees.makeFolder(bytePath(`${home}/${folder}`));
  }
  const write = (name: string, bytes: Uint8Array | string) => trees.write(bytePath(`${home}/${name}`), bytes);
  write("HEAD", "ref: refs/heads/none\n");
  write("config", configText(place, settings.bytes));
  write("objects/info/alternates", alternatesText(objects));
  for (const name of ["info/exclude", "info/attributes"]) {
    write(name, readOrNothing(trees, `${commonDir}/${name}`));
  }
}

/** One path a line; a line that begins with `"` is quoted as in C, one that begins with `#` is a comment. */
export function alternatesText(objects: string): string {
  return /^["#]|[\n\\"]/.test(objects) ? `${JSON.stringify(objects)}\n` : `${objects}\n`;
}

function readOrNothing(trees: FolderTrees, path: string): Uint8Array {
  try {
    return trees.read(bytePath(path));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return new Uint8Array();
    throw error;
  }
}
