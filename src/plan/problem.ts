/**
 * What is wrong with a plan, and where: a `Problem` with its place in the document.
 *
 * While a document is read, only offsets are recorded. Lines and columns are counted once for all problems together, so
 * that a hundred thousand of them cost only one walk through the text.
 */
import type { Problem } from "../std/problem.ts";
import type { Span } from "./plan.ts";

export interface PlanProblem extends Problem {
  /** A blocking problem prevents a run; a warning is shown and may stay. */
  readonly severity: Severity;
  /** Both from 1; the column counts UTF-16 units, as editors do. */
  readonly line: number;
  readonly column: number;
  /** How many characters to underline, all on that line. */
  readonly length: number;
}

export type Severity = "blocking" | "warning";

export interface PlanFinding {
  readonly code: string;
  readonly severity: Severity;
  readonly at: Span;
  readonly message: string;
  readonly hint: string;
}

/** Collects findings while a document is read. */
export class PlanFindings {
  readonly found: PlanFinding[] = [];

  block(code: string, at: Span, message: string, hint: string): void {
    this.found.push({ code, severity: "blocking", at, message, hint });
  }

  warn(code: string, at: Span, message: string, hint: string): void {
    this.found.push({ code, severity: "warning", at, message, hint });
  }
}

/** Findings in the order of the document, with lines and columns. */
export function placedProblems(text: string, findings: readonly PlanFinding[]): PlanProblem[] {
  const ordered = findings.toSorted((one, other) => one.at.start - other.at.start);
  let line = 1;
  let lineStart = 0;
  let lineEnd = endOfLine(text, 0);
  return ordered.map(({ code, severity, at, message, hint }) => {
    while (at.start > lineEnd && lineEnd < text.length) {
      line += 1;
      lineStart = lineEnd + 1;
      lineEnd = endOfLine(text, lineStart);
    }
    const length = Math.max(1, Math.min(at.end, lineEnd) - at.start);
    return { code, severity, message, hint, line, column: at.start - lineStart + 1, length };
  });
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at === -1 ? text.length : at;
}
