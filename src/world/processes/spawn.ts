/**
 * The only access to Node's child processes. A program is started by its absolute path, never by a name looked up at
 * that moment. `pinned-programs.ts` turns names into paths.
 */
import { spawn as nodeSpawn, spawnSync as nodeSpawnSync } from "node:child_process";
import { isAbsolute } from "node:path";
import { assert } from "../../std/assert.ts";

export const spawn = checked(nodeSpawn);
export const spawnSync = checked(nodeSpawnSync);

function checked<Start extends typeof nodeSpawn | typeof nodeSpawnSync>(start: Start): Start {
  const byPath = (path: string, ...more: unknown[]) => {
    assert(isAbsolute(path), "a program is started by its whole path");
    return Reflect.apply(start, undefined, [path, ...more]);
  };
  return byPath as Start;
}
