/** What every command receives and what it returns. Commands name no adapter; `main.ts` does. */
import type { Readable } from "node:stream";
import type { Chance } from "../world/chance.ts";
import type { Files } from "../world/files/files.ts";
import type { LiveView } from "../world/terminal/keyboard.ts";
import type { Clock } from "../world/time/clock.ts";
import type { ExitCode } from "./exit.ts";
import type { Values } from "./table/command-line.ts";
import type { Person } from "./terminal/person.ts";
import type { Terminal } from "./terminal/terminal.ts";

export interface CommandContext {
  /** The words of the command line that are not options, without the command's name. */
  readonly words: readonly string[];
  readonly values: Values;
  readonly terminal: Terminal;
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** From now on every Ctrl-C goes to the command itself. */
  takeOverInterrupts(call: (count: number) => void): void;
  readonly files: Files;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Returns `undefined` if nobody can be asked, or if `--no-input` forbids it. Only for commands that take that option. */
  findPerson(): Person | undefined;
  /**
   * From now on, typed keys are not shown and do not answer a later question. Used by anything that redraws itself on
   * the screen. The view is hidden while the process is stopped. Call the returned function to undo this.
   */
  ignoreKeys(view?: LiveView): () => void;
}

export type RunCommand = (door: CommandContext) => Promise<ExitCode>;
