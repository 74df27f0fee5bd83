/**
 * The port to programs of the system that do one thing and end, such as git: started without a shell, with an
 * environment of their own, their whole output collected.
 *
 * For programs that are trusted to end by themselves. Agents and verify commands are not: they go through
 * `Processes`, which watches over what they start.
 */
export interface Commands {
  /** Rejects when the program cannot be started (`code` is the errno) or prints too much (OUTPUT_LIMIT). */
  run(command: Command): Promise<CommandEnd>;
}

export interface Command {
  readonly argv: readonly [program: string, ...args: string[]];
  readonly folder: string;
  /** The whole environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Written to its stdin, which is then closed. */
  readonly input?: Uint8Array;
  readonly bytesMax: number;
}

export interface CommandEnd {
  /** The exit code; 128 and the signal's number when a signal ended it, as a shell would say. */
  readonly code: number;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}
