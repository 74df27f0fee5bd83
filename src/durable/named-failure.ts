/** Gives disk failures a name that a person can look up. */
import { errnoOf } from "../world/files/errno.ts";
import { DiskFailed } from "./guard.ts";

export function naming<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return rethrowNamed(error);
  }
}

export function rethrowNamed(error: unknown): never {
  throw errnoOf(error) ? new DiskFailed(error) : error;
}
