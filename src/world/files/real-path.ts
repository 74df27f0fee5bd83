/**
 * Where a path leads once every link in it is followed, which is how git names folders; `undefined` when it leads
 * nowhere.
 */
import { realpathSync } from "node:fs";
import { errnoOf } from "./errno.ts";

export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
