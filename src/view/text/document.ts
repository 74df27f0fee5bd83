/**
 * What `--json` prints: one document with the same shape on success and failure. A key that does not apply is `null`, so
 * a reader never has to check whether it exists.
 */
import type { Problem } from "../../std/problem.ts";

export interface ApplyDocument {
  readonly ok: boolean;
  /** Operations carried out: all of them or none. */
  readonly applied: number;
  readonly changeset: string | null;
  readonly operations: readonly OperationDocument[];
  readonly warnings: readonly ProblemDocument[];
  readonly errors: readonly ProblemDocument[];
}

export interface OperationDocument {
  readonly index: number;
  readonly operation: string;
  readonly path: string;
  readonly status: OperationStatus;
  /** Size and hash of the file after the operation; null after a delete, and if unknown. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly preview: readonly string[] | null;
}

export type OperationStatus = "planned" | "applied" | "refused" | "skipped";

export interface ProblemDocument {
  readonly code: string;
  readonly index: number | null;
  readonly path: string | null;
  readonly message: string;
  readonly hint: string;
}

export function problemDocument({ code, index, path, message, hint }: Problem): ProblemDocument {
  return { code, index: index ?? null, path: path ?? null, message, hint };
}

/** The document of a command that failed: a mistyped line, a missing file, a bug. */
export function failureDocument(command: string | undefined, problems: readonly Problem[]) {
  const errors = problems.map(problemDocument);
  if (command !== "apply") return { ok: false, errors };
  const nothing: ApplyDocument = {
    ok: false,
    applied: 0,
    changeset: null,
    operations: [],
    warnings: [],
    errors,
  };
  return nothing;
}
