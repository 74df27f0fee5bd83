/**
 * Checks the form of a parsed audit, and that its parts agree. Returns everything that is wrong at once, or the audit
 * as data.
 */
import { assert } from "../../std/assert.ts";
import { counted } from "../../std/counted.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { Audit } from "../audit.ts";
import { toNotes } from "../note/note.ts";
import type { AgentQuestion } from "../note/question.ts";
import { auditShape } from "../schema.ts";
import { noteProblems, noteWarnings } from "./bounds.ts";
import { findIllFormed } from "./ill-formed.ts";
import { describe, issueProblems, unknownKey } from "./issue.ts";
import { ReplyProblems } from "./reply-problems.ts";

export interface AuditVerdict {
  /** If there are no problems, one of these three is set; the last may accompany the first. */
  readonly audit?: Audit;
  /** What the auditor asks instead of judging. */
  readonly question?: AgentQuestion;
  /** Why the auditor wants work rolled back. */
  readonly rollback?: string;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

export function validateAudit(value: unknown): AuditVerdict {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refuseWhole(value);
  const problems = new ReplyProblems();
  const warnings = new ReplyProblems();
  const subject = { value, keysAt };
  const parsed = auditShape.safeParse(value);
  for (const issue of parsed.error?.issues ?? []) problems.add(...issueProblems(issue, subject));
  for (const [key, part] of Object.entries(value)) {
    if (signalFields.includes(key)) continue;
    if (!Object.hasOwn(auditShape.shape, key)) warnings.add(unknownKey([key], subject));
    else problems.addEach(findIllFormed(part, [key], subject));
  }
  if (problems.count === 0) {
    assert(parsed.success, "an audit without problems passed its schema");
    const audit = toAudit(parsed.data);
    problems.add(...contradictions(audit), ...noteProblems(audit.notes));
    warnings.add(...doubts(audit), ...noteWarnings(audit.notes));
    if (problems.count === 0) return { audit, problems: [], warnings: warnings.list() };
  }
  return { problems: problems.list(), warnings: warnings.list() };
}

/** Read together with the signals of the text. They are not offered, because the verdict gives the task's status. */
const signalFields: readonly string[] = ["signal", "question"];

function refuseWhole(value: unknown): AuditVerdict {
  const problem = {
    code: "SCHEMA_TYPE",
    message: `the audit is ${describe(value)}, not an object`,
    hint: 'Send an object: {"verdict": "PASS", "summary": "…", "evidence": […], "findings": […]}.',
  };
  return { problems: [problem], warnings: [] };
}

function toAudit(wire: ReturnType<typeof auditShape.parse>): Audit {
  const { verdict, summary = "", evidence = [], findings = [], notes } = wire;
  return {
    verdict,
    summary,
    evidence: evidence.map(({ criterion, evidence: shown }) => ({ criterion, evidence: shown })),
    findings: findings.map(({ severity, file, line, problem, fix }) => ({
      severity,
      ...(file !== undefined && { file }),
      ...(line !== undefined && { line }),
      problem,
      ...(fix !== undefined && { fix }),
    })),
    notes: toNotes(notes),
  };
}

function contradictions({ verdict, findings, summary }: Audit): Problem[] {
  if (verdict === "PASS") return findings.flatMap(blockingInPass);
  if (findings.length > 0) return [];
  if (verdict === "BLOCKED" && summary.trim() !== "") return [];
  return [
    {
      code: "AUDIT_NO_FINDING",
      message: `the verdict is ${verdict} and findings is empty, so it is not clear what to fix`,
      hint:
        verdict === "FAIL"
          ? 'Add a finding for each fault: {"severity": "blocking", "file": "…", "line": 1, "problem": "…", "fix": "…"}; or write "verdict": "PASS".'
          : "Say in summary what prevents a judgement, or add it as a finding.",
      field: "findings",
    },
  ];
}

function blockingInPass({ severity, problem }: Audit["findings"][number], index: number): Problem[] {
  if (severity !== "blocking") return [];
  return [
    {
      code: "AUDIT_CONTRADICTION",
      message: `the verdict is PASS and findings[${index}] is blocking (${quote(problem, 60)})`,
      hint: 'Write "verdict": "FAIL", or "severity": "advice" if the task is right without it.',
      field: `findings[${index}].severity`,
    },
  ];
}

function doubts({ verdict, findings, evidence }: Audit): Problem[] {
  if (verdict === "PASS" && evidence.length === 0) {
    return [
      {
        code: "AUDIT_NO_EVIDENCE",
        message: "the verdict is PASS and evidence is empty",
        hint: "Say for each success criterion what shows that it is met.",
        field: "evidence",
      },
    ];
  }
  if (verdict === "FAIL" && findings.every(({ severity }) => severity === "advice")) {
    return [
      {
        code: "AUDIT_CONTRADICTION",
        message: `the verdict is FAIL and ${counted(findings.length, "finding")} ${findings.length === 1 ? "is" : "are"} advice only`,
        hint: 'Mark what must be fixed as "severity": "blocking".',
        field: "findings",
      },
    ];
  }
  return [];
}

/** The keys of the object at a path: those of the audit, or of an entry in one of its lists. */
function keysAt(path: readonly PropertyKey[]): readonly string[] {
  return path.length === 0 ? Object.keys(auditShape.shape) : [];
}
