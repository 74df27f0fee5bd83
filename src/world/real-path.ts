/** Where a path leads once every link on it is followed, as git names folders; nothing when it leads nowhere. */
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
