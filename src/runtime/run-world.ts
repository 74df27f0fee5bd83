/** What all runs of a process share: every adapter, created once by `main.ts`. */
import type { TurnServer } from "../driver/driver.ts";
import type { Drivers } from "../driver/drivers.ts";
import type { Repository } from "../git/repository.ts";
import type { Verifier } from "../verify/verifier.ts";
import type { Chance } from "../world/chance.ts";
import type { Files } from "../world/files/files.ts";
import type { FolderTrees } from "../world/folders/folder-trees.ts";
import type { Machine } from "../world/machine.ts";
import type { Processes } from "../world/processes/processes.ts";
import type { RunClock } from "../world/time/run-clock.ts";

export interface RunWorld {
  readonly files: Files;
  readonly clock: RunClock;
  readonly chance: Chance;
  readonly processes: Processes;
  readonly drivers: Drivers;
  readonly repository: Repository;
  readonly trees: FolderTrees;
  readonly machine: Pick<Machine, "canConfine" | "hasLayers">;
  readonly verifier: Verifier;
  /** Paths outside the repository that agents and verify commands must not write to. */
  readonly guarded: readonly string[];
  /** The user's home folder; empty if unknown. */
  readonly home: string;
  /** The version of this program, for the record. */
  readonly version: string;
  readonly pid: number;
  /** The command with which an agent's program starts its turn server: this program, by its full path. */
  readonly turnServer: TurnServer["command"];
  /** Looks up the crew's programs in PATH before any of them runs. */
  pinPrograms(names: readonly string[]): void;
  /** Removes a folder and everything in it, whatever its modes; it may be missing. */
  removeFolder(path: string): Promise<void>;
}
