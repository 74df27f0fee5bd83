/** What every command is handed, and what it hands back. Commands name no adapter: `main.ts` does. */
import type { Readable } from "node:stream";
import type { Chance } from "../world/chance.ts";
import type { Clock } from "../world/clock.ts";
import type { Files } from "../world/files.ts";
import type { Values } from "./command-line.ts";
import type { ExitCode } from "./exit.ts";
import type { Person } from "./person.ts";
import type { Terminal } from "./terminal.ts";

export interface Door {
  /** Words of the command line that are no options, the command's name left out. */
  readonly words: readonly string[];
  readonly values: Values;
  readonly terminal: Terminal;
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** From now on the command itself hears of each Ctrl-C. */
  takeOverInterrupts(call: (count: number) => void): void;
  readonly files: Files;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Nothing when nobody can be asked. */
  findPerson(): Person | undefined;
}

export type RunCommand = (door: Door) => Promise<ExitCode>;
