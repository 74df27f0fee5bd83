/**
 * One attempt of an agent to reach something that is not its own: what it does, and how an observer outside sees
 * whether it worked.
 *
 * `sh` runs the script at a desk. `$MARK` is a word unique to this attempt, by which its traces are recognized; the
 * other variables belong to the scene.
 */
export interface Attempt {
  readonly name: string;
  readonly script: string;
  readonly evidence: Evidence;
  /** Programs, or files by absolute path, without which it cannot be tried. */
  readonly needs?: readonly string[];
  /** Set if it works despite the sandbox, with the reason why that is not prevented. */
  readonly notHeld?: NotHeld;
  readonly withoutSandbox?: WithoutSandbox;
  /** For attempts that a run prevents even without a sandbox: a careless coordinator that does not. */
  readonly control?: Control;
  /** The agent program, by its driver, in whose own home it is tried; a plain command by default. */
  readonly agent?: AgentProgram;
  /** Tried in another home, in which programs have empty folders: `$BARE`. */
  readonly isHomeBare?: true;
  /** It moves things that others need, so it is played after them. */
  readonly isLast?: true;
}

export interface NotHeld {
  /** A sandbox by name, all those without layers, or all of them. */
  readonly by: "any" | "without layers" | "bwrap";
  readonly reason: string;
}

/** Why it fails even without a sandbox, by user. It works for a user who is not listed. */
export interface WithoutSandbox {
  readonly ordinary?: string;
  readonly root?: string;
  /** It would harm the machine. */
  readonly notTried?: string;
}

export type AgentProgram = "claude-code" | "codex" | "gemini" | "opencode";

export interface Control {
  /**
   * What a careless coordinator would do: start the program with everything it has open and its whole environment, or
   * run this command.
   */
  readonly isStarted?: true;
  readonly typed?: readonly string[];
  readonly words: string;
}

/** Paths begin with a variable of the scene or are absolute. */
export type Evidence =
  /** The file contains the mark. */
  | { readonly marked: string }
  | { readonly there: string }
  | { readonly gone: string }
  /** The path is a link. */
  | { readonly linked: string }
  /** The agent printed the mark: only it can report what leaves no trace. */
  | { readonly printed: "mark" | "secret" }
  /** A server or a process of ours was reached. */
  | { readonly heard: string }
  /** A process of the user has ended. */
  | { readonly ended: string }
  /** A process that carries the mark is still running after the turn. */
  | { readonly running: true }
  /**
   * Something ran what it left: this command of the user's, afterwards, or the coordinator. Empty if it was run at
   * once.
   */
  | { readonly ran: readonly string[] };

const needsRoot = "only root may";
export const rootOnly: WithoutSandbox = { ordinary: needsRoot };

export const startedCarelessly: Control = {
  isStarted: true,
  words: "a coordinator that hands on all that it has open, and its whole environment, is caught by it",
};

/** Appends its mark to a file as a comment, because without a sandbox others still need to read the file. */
export function writes(name: string, path: string, more: Partial<Attempt> = {}): Attempt {
  const script = `mkdir -p "$(dirname "${path}")"; echo "# $MARK" >> "${path}"`;
  return { name, script, evidence: { marked: path }, ...more };
}

export function markOf({ name }: Attempt): string {
  return `escaped:${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}:`;
}
