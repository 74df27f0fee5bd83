/**
 * Who may write what: a task may write only to the paths that its plan declares, and never to those of
 * another running task.
 */
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { anyGlob } from "../glob.ts";
import { foldPath } from "../path.ts";

export interface WriteRules {
  /** Globs of what may be written; undefined means everything. */
  readonly writes?: readonly string[];
  readonly writesOfOthers?: readonly string[];
}

export function writeChecker(rules: WriteRules): (path: string) => Omit<Problem, "path"> | undefined {
  const isOwn = rules.writes && anyGlob(rules.writes);
  // Folded, because on some disks "SRC/a" is the other task's "src/a".
  const isOfAnother = anyGlob((rules.writesOfOthers ?? []).map(foldPath));
  return (path) => {
    if (isOfAnother(foldPath(path))) {
      return {
        code: "CLAIM_VIOLATION",
        message: `${quote(path)} is claimed by another running task`,
        hint: "Leave it to that task, or wait until it is done.",
      };
    }
    if (isOwn && !isOwn(path)) {
      return {
        code: "CLAIM_VIOLATION",
        message: `${quote(path)} is outside the paths claimed for this task: ${listed(rules.writes ?? [])}`,
        hint: "Do the task without it. If that is impossible, ask a person: only the plan says what a task may write.",
      };
    }
    return undefined;
  };
}

function listed(patterns: readonly string[]): string {
  if (patterns.length === 0) return "none";
  const shown = patterns.slice(0, 5).map((pattern) => quote(pattern, 60));
  return shown.join(", ") + (patterns.length > 5 ? ` and ${patterns.length - 5} more` : "");
}
