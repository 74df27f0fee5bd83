/**
 * Allows one landing at a time in a checkout, whatever the run, from the first look to the last file. A second one that
 * looked during a landing would see its files without its commit, and take them for the user's own work.
 */
import type { Files } from "../../world/files/files.ts";
import { RunFolder } from "../folder/run-folder.ts";

export interface LandingPlace {
  readonly files: Files;
  readonly root: string;
  /** How long to wait for another landing to end. */
  readonly waitMs: number;
}

/** Throws LOCK_HELD while another process lands there. */
export async function landAlone<T>(
  { files, root, waitMs }: LandingPlace,
  land: () => Promise<T>,
): Promise<T> {
  const where = "a landing in this checkout";
  const lock = await RunFolder.lockAll(files, root, { name: ".land.lock", waitMs, where });
  try {
    return await land();
  } finally {
    lock.release();
  }
}
