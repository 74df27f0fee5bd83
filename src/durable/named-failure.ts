/** Failures of the disk, under a name that a person can look up. */
import { errnoOf } from "../world/errno.ts";
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
