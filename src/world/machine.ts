/** The port to what the machine says of itself. */
import { statfsSync } from "node:fs";
import { hasDescriptorWalk } from "./choose-files.ts";
import { canConfine } from "./confine.ts";

export interface Machine {
  readonly nodeVersion: string;
  /** Whether folders can be pinned by descriptor, so that nothing swapped in mid-flight leads outside. */
  hasDescriptorWalk(): boolean;
  /** Whether a program can be kept from writing to folders that are not its own: tried, not guessed. */
  canConfine(): boolean;
  /** What this user may still write there, in bytes. */
  freeBytes(path: string): number;
}

export const nodeMachine: Machine = {
  nodeVersion: process.versions.node,
  hasDescriptorWalk,
  canConfine,
  freeBytes: (path) => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  },
};
