/** The port to facts about the machine. */
import { statfsSync } from "node:fs";
import { hasDescriptorWalk } from "./files/choose-files.ts";
import { canConfine, hasLayers } from "./sandbox/confine.ts";

export interface Machine {
  readonly nodeVersion: string;
  /** Whether folders can be pinned by descriptor, so that a path swapped in mid-operation cannot lead outside. */
  hasDescriptorWalk(): boolean;
  /** Whether a sandbox can keep a program from writing outside its own folders. Tested by trying, not guessed. */
  canConfine(): boolean;
  /** Whether changes a confined program makes elsewhere can be thrown away when it ends. */
  hasLayers(): boolean;
  /** Free space in bytes that this user may still write at `path`. */
  freeBytes(path: string): number;
}

export const nodeMachine: Machine = {
  nodeVersion: process.versions.node,
  hasDescriptorWalk,
  canConfine,
  hasLayers,
  freeBytes: (path) => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  },
};
