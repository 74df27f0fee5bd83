/**
 * Where the runs of a folder are kept: at the top of its repository, so that looking works from anywhere inside. Told by
 * the nearest `.git` alone, because asking git costs more than the look itself.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export function runsRoot(folder = "."): string {
  const start = resolve(folder);
  // Of a folder that is not there nobody means one above it.
  if (!existsSync(start)) return start;
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (at === dirname(at)) return start;
  }
}
