/** What was thrown → a problem to show and the exit code that goes with it. */
import { BrokenClaim } from "../std/assert.ts";
import type { Problem } from "../std/problem.ts";
import { oneLine } from "../view/printable.ts";
import { type ExitCode, exit } from "./exit.ts";

export interface Failure {
  readonly problem: Problem;
  readonly exit: ExitCode;
  /** Only for our own bugs, and only shown with `--debug`. */
  readonly stack?: string;
}

export function failureOf(thrown: unknown): Failure {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (error instanceof BrokenClaim) return ourBug(error);
  if (error.name === "AbortError") return interrupted;
  if (code === "LOCK_HELD")
    return { problem: told(error, "Wait for it to end, then try again."), exit: exit.locked };
  if (code.startsWith("IO_")) return { problem: told(error, diskHint(code)), exit: exit.disk };
  if (code.startsWith("ROOT_")) return { problem: told(error, "Check --root."), exit: exit.notReady };
  if (carriesProblem(error)) return { problem: error.problem, exit: exit.refused };
  if (environmentCodes.has(code)) {
    return { problem: told(error, "See what is missing: cox doctor"), exit: exit.notReady };
  }
  if (diskErrnos.has(code)) {
    return { problem: { ...told(error, diskHint(`IO_${code}`)), code: `IO_${code}` }, exit: exit.disk };
  }
  return ourBug(error);
}

export const interrupted: Failure = {
  problem: {
    code: "INTERRUPTED",
    message: "interrupted before anything was changed",
    hint: "Run the same command again when you like.",
  },
  exit: exit.interrupted,
};

/** A system call that cannot lock, or a file system without what we need. */
const environmentCodes = new Set(["ENOSYS", "ENOLCK", "EOPNOTSUPP", "ENOTSUP"]);
const diskErrnos = new Set([
  "EIO",
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EMFILE",
  "ENFILE",
  "EFBIG",
  "ENODEV",
  "ESTALE",
]);

function told(error: Error, hint: string): Problem {
  if (carriesProblem(error)) return error.problem;
  const code = "code" in error ? String(error.code) : error.name;
  return { code, message: error.message, hint: "hint" in error ? String(error.hint) : hint };
}

function diskHint(code: string): string {
  const cause = {
    IO_ENOSPC: "Free some space (df -h).",
    IO_EDQUOT: "Your quota is used up: free some space.",
    IO_EROFS: "The file system is mounted read-only.",
    IO_EMFILE: "Too many open files: raise the limit (ulimit -n).",
    IO_ENFILE: "Too many open files on this machine.",
  }[code];
  const after = "The next cox command here finishes what was under way, or takes it back.";
  return `${cause ?? "Look at the disk (dmesg, smartctl)."} ${after}`;
}

function carriesProblem(error: Error): error is Error & { problem: Problem } {
  const { problem } = error as { problem?: Partial<Problem> };
  return (
    typeof problem?.code === "string" &&
    typeof problem.message === "string" &&
    typeof problem.hint === "string"
  );
}

function ourBug(error: Error): Failure {
  return {
    problem: {
      code: "BUG",
      message: `this is a mistake in cox, not in what you did: ${oneLine(error.message, 500)}`,
      hint: "Please report it with the output of the same command and --debug; the next cox command here finishes what was under way, or takes it back.",
    },
    exit: exit.bug,
    ...(error.stack ? { stack: error.stack } : {}),
  };
}
