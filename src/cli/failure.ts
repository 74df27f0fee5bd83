/** A thrown error → a problem to show, and its exit code. */
import { BrokenClaim } from "../std/assert.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { errnoOf } from "../world/files/errno.ts";
import { type ExitCode, exit } from "./exit.ts";

export interface Failure {
  readonly problem: Problem;
  readonly exit: ExitCode;
  /** Only for our own bugs, and only shown with `--debug`. */
  readonly stack?: string;
}

export function failureOf(thrown: unknown): Failure {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (error instanceof BrokenClaim) return ourBug(error);
  if (error.name === "AbortError") return interrupted;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "LOCK_HELD" || code === "LOCK_LOST")
    return { problem: problemOf(error, lockHint), exit: exit.locked };
  if (code.startsWith("IO_")) return { problem: problemOf(error, diskHint(code)), exit: exit.disk };
  if (code.startsWith("ROOT_")) return { problem: problemOf(error, "Check --root."), exit: exit.notReady };
  if (damageCodes.has(code)) {
    const hint = code === "STATE_UNSAFE" ? unsafeHint : damageHint;
    return { problem: problemOf(error, hint), exit: exit.notReady };
  }
  if (code === "PROGRAM_CHANGED" || code.startsWith("GIT_"))
    return { problem: problemOf(error, gitHint), exit: exit.notReady };
  if (lockErrnos.has(code))
    return { problem: problemOf(error, "See what is missing: cox doctor"), exit: exit.notReady };
  if (carriesProblem(error)) return { problem: error.problem, exit: exit.refused };
  const errno = errnoOf(error);
  if (!errno) return ourBug(error);
  return { problem: { ...problemOf(error, diskHint(`IO_${errno}`)), code: `IO_${errno}` }, exit: exit.disk };
}

const interrupted: Failure = {
  problem: {
    code: "INTERRUPTED",
    message: "interrupted before anything was changed",
    hint: "Run the same command again when you like.",
  },
  exit: exit.interrupted,
};

const lockHint = "Wait for it to end, then try again.";

/** Files that we wrote are no longer as we wrote them. We do not guess: a person must look. */
const damageCodes = new Set([
  "LOG_CORRUPT",
  "LOG_FOREIGN",
  "LOG_LOST_TAIL",
  "LOG_VERSION",
  "STATE_BAD",
  "STATE_UNSAFE",
  "TXN_BLOB_MISSING",
  "PLAN_CHANGED",
  "CONFIG_CHANGED",
  "ENCLOSURES_CHANGED",
]);
const damageHint =
  "Nothing was changed. Keep a copy of .coxswain/changesets; if you can do without its history and undo, move that folder away and cox starts a new one.";

const unsafeHint =
  "Nothing was changed. See what it is and who may write it: ls -laR .coxswain. If it is only read-only, make it writable: chmod -R u+w .coxswain";

const gitHint = "Check the repository: git fsck";

/** No program or file system here supports locks. */
const lockErrnos = new Set(["ENOSYS", "ENOLCK", "EOPNOTSUPP", "ENOTSUP"]);

function problemOf(error: Error, hint: string): Problem {
  if (carriesProblem(error)) return error.problem;
  const code = "code" in error ? String(error.code) : error.name;
  return { code, message: error.message, hint: "hint" in error ? String(error.hint) : hint };
}

function diskHint(code: string): string {
  const cause = {
    IO_ENOSPC: "Free some space (df -h).",
    IO_EDQUOT: "Your quota is used up: free some space.",
    IO_EROFS: "The file system is mounted read-only.",
    IO_EACCES: "Look at the owner and mode of the folder (ls -ld).",
    IO_EPERM: "Look at the owner and attributes of the folder (ls -ld, lsattr -d).",
    IO_EMFILE: "Too many open files: raise the limit (ulimit -n).",
    IO_ENFILE: "Too many open files on this machine.",
  }[code];
  const after = "The next cox command here finishes what was under way, or undoes it.";
  return `${cause ?? "See what is wrong: cox doctor (and dmesg, for the disk)."} ${after}`;
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
      message: `this is a bug in cox, not your mistake: ${oneLine(error.message, 500)}`,
      hint: "Please report it with the output of the same command with --debug; the next cox command here finishes what was under way, or undoes it.",
    },
    exit: exit.bug,
    ...(error.stack ? { stack: error.stack } : {}),
  };
}
