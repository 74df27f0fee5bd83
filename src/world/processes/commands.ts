/**
 * The port to system programs that do one thing and end, such as git. They are started without a shell and with an
 * environment of their own, and all of their output is collected.
 *
 * Use it only for programs trusted to end by themselves. Agents and verify commands are not: they go through
 * `Processes`, which watches over what they start.
 */
export interface Commands {
  /**
   * Rejects when the program cannot be started (`code` is the errno), is no longer the file it was at first
   * (PROGRAM_CHANGED), or prints too much (OUTPUT_LIMIT).
   */
  run(command: CommandRequest): Promise<CommandEnd>;
  /** Starts a program that answers as it is asked and ends when its stdin does. Throws what `run` rejects with. */
  open(command: OpenCommandRequest): OpenCommand;
}

export interface CommandRequest {
  readonly argv: readonly [program: string, ...args: string[]];
  readonly folder: string;
  /** The whole environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Written to its stdin, which is then closed. */
  readonly input?: Uint8Array;
  readonly bytesMax: number;
  /** The PATH used to look up the program, once; by default that of its environment. */
  readonly lookIn?: string;
  /** Names and paths of programs that it starts itself: if one of them has changed, it is not started. */
  readonly starts?: readonly string[];
}

export interface OpenCommandRequest extends Omit<CommandRequest, "input" | "bytesMax"> {
  onOutput(chunk: Uint8Array): void;
  /** Called once, also when it could not be started after all. */
  onEnd(ended: OpenCommandEnd): void;
}

export interface OpenCommand {
  /** Writes to its stdin, which stays open. */
  write(bytes: string): void;
  /** While nobody waits for it, this process can end although the program is still there: its stdin ends with us. */
  setAwaited(isAwaited: boolean): void;
  /** Closes its stdin. */
  close(): void;
}

export interface OpenCommandEnd extends Omit<CommandEnd, "stdout"> {
  /** It did not end by itself. */
  readonly wasKilled: boolean;
}

export interface CommandEnd {
  /** The exit code; 128 plus the signal's number when a signal ended it, as in a shell. */
  readonly code: number;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}
