/**
 * The port to programs that work for a while: each in a process group of its own, ended with everything it started.
 *
 * Nothing here measures time but the grace between asking and killing: whoever started a program decides how long
 * it may take, by a clock that knows about suspended machines, and cancels it.
 */
export interface Processes {
  /** Never throws: a program that cannot be started ends as `not-started`. */
  start(program: Program): Running;
  /**
   * Ends every process of this user that carries the mark `NAME=value` in the environment it was started with, or
   * is given by its identity; answers with those it ended. For what a killed coordinator left behind.
   */
  endMarked(
    mark: { readonly name: string; readonly value: string },
    known?: readonly ProcessIdentity[],
  ): Promise<readonly number[]>;
  isAlive(identity: ProcessIdentity): boolean;
}

/** A number alone may have been given to another process since; with its start time it names one for good. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Boot id and start tick where the system tells them, else a wall time. */
  readonly started: string;
}

export interface Program {
  readonly argv: readonly [program: string, ...args: string[]];
  readonly folder: string;
  /** The whole environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Written to its stdin, which is then closed. A program that does not read it is no failure. */
  readonly input?: Uint8Array;
  /** Its stdin stays open instead, for `Running.stdin`; what it prints is passed on at once. */
  readonly isTalkedTo?: true;
  /** How much of each stream is kept; the program is ended when it prints more than `bytesMax` in all. */
  readonly keepBytes: number;
  readonly bytesMax: number;
  /** Between SIGTERM to the group and SIGKILL; and for pipes that a grandchild keeps open after the end. */
  readonly graceMs: number;
  /** What it may not write to, where the system can hold it to that. */
  readonly confinement?: Confinement;
  /** As it comes, at most a few times a second for each stream; a flood, in pieces of a mebibyte. */
  onOutput?(stream: "stdout" | "stderr", bytes: Uint8Array): void;
}

export interface Confinement {
  /** Folders and files that are read-only for it and all its children; what is not there is passed over … */
  readonly readOnly: readonly string[];
  /** … but for these inside them. */
  readonly writable: readonly string[];
}

export interface Running {
  /** Nothing when it could not be started. */
  readonly identity?: ProcessIdentity;
  /** Of a program that is talked to. */
  readonly stdin?: OpenInput;
  /** Never rejects. Resolved when the program has ended and its pipes are closed or given up. */
  readonly ended: Promise<Ended>;
  /** SIGTERM to the group, SIGKILL after the grace. Calling it again changes nothing. */
  cancel(): void;
}

/** What is written to a program that does not read any more is lost, and no failure. */
export interface OpenInput {
  write(bytes: Uint8Array): void;
  end(): void;
}

export interface Ended {
  readonly how:
    | { readonly kind: "exited"; readonly code: number }
    | { readonly kind: "signalled"; readonly signal: string }
    | { readonly kind: "cancelled" }
    | { readonly kind: "output-limit" }
    | { readonly kind: "not-started"; readonly errno: string; readonly message: string };
  /** The first `keepBytes` of each. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** Descendants that left the group and outlived it; they were ended where that was possible. */
  readonly escaped: readonly number[];
  readonly durationMs: number;
  /** Whether the confinement that was asked for was in force. */
  readonly isConfined: boolean;
}
