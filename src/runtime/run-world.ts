/** What the runs of a program share: every adapter, made once by `main.ts`. */
import type { TurnServer } from "../driver/driver.ts";
import type { Drivers } from "../driver/drivers.ts";
import type { Repository } from "../git/repository.ts";
import type { Verifier } from "../verify/verifier.ts";
import type { Chance } from "../world/chance.ts";
import type { Files } from "../world/files.ts";
import type { FolderTrees } from "../world/folder-trees.ts";
import type { Machine } from "../world/machine.ts";
import type { Processes } from "../world/processes.ts";
import type { RunClock } from "../world/run-clock.ts";

export interface RunWorld {
  readonly files: Files;
  readonly clock: RunClock;
  readonly chance: Chance;
  readonly processes: Processes;
  readonly drivers: Drivers;
  readonly repository: Repository;
  readonly trees: FolderTrees;
  readonly machine: Pick<Machine, "canConfine">;
  readonly verifier: Verifier;
  /** What is the user's own outside the repository, and no agent's or verify command's to write. */
  readonly guarded: readonly string[];
  /** Of this program, for the record. */
  readonly version: string;
  readonly pid: number;
  /** How an agent's program starts the server of its turn: this program, by its whole path. */
  readonly turnServer: TurnServer["command"];
  /** A folder with everything in it; whatever its modes; what is not there is fine. */
  removeFolder(path: string): Promise<void>;
}
