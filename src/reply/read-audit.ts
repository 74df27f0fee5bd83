/**
 * An auditor's words → its verdict, or everything that is wrong with them. An auditor that answers in text gives its
 * verdict by a signal line; one that sends an object may give both, and they must say the same.
 */
import { cutAt } from "../std/cut.ts";
import type { Problem } from "../std/problem.ts";
import type { Audit } from "./audit.ts";
import { type Extraction, extract } from "./extract.ts";
import { openReply } from "./open.ts";
import { readSignal, type Signalled } from "./read-signal.ts";
import { refuseDisagreement } from "./refuse-signal.ts";
import { soughtAudit } from "./sought-audit.ts";
import { type AuditVerdict, validateAudit } from "./validate-audit.ts";

export interface AuditOptions {
  /** The tag that this turn's prompt asked for: a block with it wins over everything else. */
  readonly fence?: string;
  /** The slug of the task that is audited. */
  readonly task: string;
}

export function readAudit(reply: Uint8Array | string, { fence, task }: AuditOptions): AuditVerdict {
  const opened = openReply(reply, fence);
  if ("problem" in opened) return refused([opened.problem]);
  const { source } = opened;
  const extraction = extract(source, soughtAudit);
  const rules = { task, allowed: Object.keys(verdicts) as VerdictSignal[] };
  if (!extraction.isMeant) return fromSignal(extraction, readSignal(source, rules), source.text);
  if ("problems" in extraction) return refused(extraction.problems);
  const verdict = validateAudit(extraction.value);
  const place = { from: extraction.from, until: extraction.until };
  return held(verdict, readSignal(source, rules, { place, isDecided: true }));
}

type VerdictSignal = keyof typeof verdicts;

const verdicts = {
  "AUDIT PASSED": "PASS",
  "AUDIT FAILED": "FAIL",
  "AUDIT BLOCKED": "BLOCKED",
} as const;

/** An audit in an object, held against the line beside it. */
function held(verdict: AuditVerdict, { signal, problems }: Signalled): AuditVerdict {
  const { audit, warnings } = verdict;
  const said = signal && verdictOf(signal.name);
  const isOther = audit !== undefined && said !== undefined && said !== audit.verdict;
  const wrong = [
    ...verdict.problems,
    ...problems,
    ...(isOther ? [refuseDisagreement(audit.verdict, signal?.name ?? "")] : []),
  ];
  return wrong.length === 0 ? verdict : { problems: wrong, warnings };
}

const summaryMax = 10_000;

/** An audit in words: what stands behind the line is the judgement, and of a failed one the finding. */
function fromSignal(extraction: Extraction, { signal, problems }: Signalled, text: string): AuditVerdict {
  if (problems.length > 0) return refused(problems);
  const verdict = signal && verdictOf(signal.name);
  if (verdict === undefined || signal === undefined || !("text" in signal)) {
    return "problems" in extraction ? refused(extraction.problems) : validateAudit(extraction.value);
  }
  const said = signal.text;
  if (said === "" && verdict !== "PASS") return refused([refuseBare(signal.name)]);
  const audit: Audit = {
    verdict,
    summary: said === "" ? cutAt(text.trim(), summaryMax).kept : said,
    evidence: [],
    findings: verdict === "FAIL" ? [{ severity: "blocking", problem: said }] : [],
    notes: [],
  };
  return { audit, problems: [], warnings: [] };
}

function verdictOf(name: string): Audit["verdict"] | undefined {
  return Object.hasOwn(verdicts, name) ? verdicts[name as VerdictSignal] : undefined;
}

function refuseBare(name: string): Problem {
  return {
    code: "AUDIT_NO_FINDING",
    message: `the reply says ${name} and nothing else: nobody could know what to put right`,
    hint: "Write below the line what is wrong, where, and what to do about it.",
    field: "findings",
  };
}

function refused(problems: readonly Problem[]): AuditVerdict {
  return { problems, warnings: [] };
}
