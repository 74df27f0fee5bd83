/**
 * An auditor's judgement of a task, after extraction and validation. It is an opinion; evidence is what we ran
 * ourselves.
 */
import type { Note } from "./note/note.ts";

export interface Audit {
  readonly verdict: "PASS" | "FAIL" | "BLOCKED";
  readonly summary: string;
  readonly evidence: readonly CriterionEvidence[];
  readonly findings: readonly AuditFinding[];
  readonly notes: readonly Note[];
}

export interface CriterionEvidence {
  readonly criterion: string;
  readonly evidence: string;
}

export interface AuditFinding {
  readonly severity: "blocking" | "advice";
  readonly file?: string;
  readonly line?: number;
  readonly problem: string;
  readonly fix?: string;
}
