/**
 * The port to long-running programs: each has a process group of its own, and is ended together with everything it
 * started.
 *
 * The only time measured here is the grace period between asking and killing. Whoever started a program decides how
 * long it may take, using a clock that knows about suspended machines, and cancels it.
 */
export interface Processes {
  /** Never throws: a program that cannot be started ends as `not-started`. */
  start(program: Program): ProcessHandle;
  /**
   * Ends every process of this user that has the mark `NAME=value` in the environment it was started with, or whose
   * identity is in `known`. Returns the pids of those it ended. Used for what a killed coordinator left behind.
   */
  endMarked(
    mark: { readonly name: string; readonly value: string },
    known?: readonly ProcessIdentity[],
  ): Promise<readonly number[]>;
  isAlive(identity: ProcessIdentity): boolean;
}

/** A pid alone may have been reused since; together with its start time it names one process for good. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Boot id and start tick where the system provides them, otherwise a wall time. */
  readonly started: string;
}

export interface Program {
  readonly argv: readonly [program: string, ...args: string[]];
  readonly folder: string;
  /** The whole environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Written to its stdin, which is then closed. A program that does not read it has not failed. */
  readonly input?: Uint8Array;
  /** Its stdin stays open instead, as `ProcessHandle.stdin`, and its output is passed on almost at once. */
  readonly isTalkedTo?: true;
  /** How much of each stream is kept. The program is ended when it prints more than `bytesMax` in total. */
  readonly keepBytes: number;
  readonly bytesMax: number;
  /** Time between SIGTERM to the group and SIGKILL; also how long we wait for pipes that a grandchild keeps open. */
  readonly graceMs: number;
  /** Where it may write, if the system can enforce that. */
  readonly confinement?: Confinement;
  /** Receives output at most a few times a second for each stream; a flood arrives in pieces of one MiB. */
  onOutput?(stream: "stdout" | "stderr", bytes: Uint8Array): void;
}

/**
 * Where a program and its children may write; paths that do not exist are ignored. Everything else is either read-only
 * for them or a layer, which takes their changes and is thrown away when they have ended.
 */
export interface Confinement {
  readonly writable: readonly string[];
  /** Read-only even inside what is writable or a layer. When one path is inside another, the inner one decides. */
  readonly readOnly: readonly string[];
  /** A layer even inside what is writable; read-only where the system has no layers. */
  readonly thrownAway?: readonly string[];
  /**
   * Where the system has no layers, these are copied for the program, which writes to its copy. In the copy of a
   * folder, files are copied and subfolders are empty unless they are listed elsewhere here.
   */
  readonly copiedWithoutLayers?: readonly string[];
}

export interface ProcessHandle {
  /** `undefined` when it could not be started. */
  readonly identity?: ProcessIdentity | undefined;
  /** Present when the program was started with `isTalkedTo`. */
  readonly stdin?: OpenInput;
  /** Never rejects. Resolves when the program has ended and its pipes are closed or given up. */
  readonly ended: Promise<ProcessEnd>;
  /** SIGTERM to the group, SIGKILL after the grace. Calling it again changes nothing. */
  cancel(): void;
}

/** Writing to a program that no longer reads is not an error; the bytes are lost. */
export interface OpenInput {
  write(bytes: Uint8Array): void;
  end(): void;
}

export interface ProcessEnd {
  readonly how:
    | { readonly kind: "exited"; readonly code: number }
    | { readonly kind: "signalled"; readonly signal: string }
    | { readonly kind: "cancelled" }
    | { readonly kind: "output-limit" }
    /**
     * `errno` is PROGRAM_CHANGED when the program is no longer the file it was when this process first looked it up.
     */
    | { readonly kind: "not-started"; readonly errno: string; readonly message: string };
  /** The first `keepBytes` of each stream. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** Descendants that left the group and outlived it; they were ended if possible. */
  readonly escaped: readonly number[];
  readonly durationMs: number;
  /** Whether the requested confinement was in force. */
  readonly isConfined: boolean;
}
