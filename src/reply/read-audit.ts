/**
 * Reads an auditor's words: returns its verdict, or everything that is wrong with them. An auditor that answers in text
 * gives its verdict as a signal line; one that sends an object may give both, and they must agree.
 */
import { cutAt } from "../std/cut.ts";
import type { Problem } from "../std/problem.ts";
import type { Audit } from "./audit.ts";
import { type AuditVerdict, validateAudit } from "./check/validate-audit.ts";
import { expectedAudit } from "./find/expected-audit.ts";
import { type Extraction, extract, type Found } from "./find/extract.ts";
import { openReply } from "./find/open.ts";
import { openEnvelopeShape } from "./schema.ts";
import { type Envelope, readSignal, type Signalled } from "./signal/read-signal.ts";
import { refuseDisagreement } from "./signal/refuse-signal.ts";

export interface AuditOptions {
  /** The tag that this turn's prompt asked for: a block with it takes precedence over everything else. */
  readonly fence?: string;
  /** The slug of the task being audited. */
  readonly task: string;
}

export function readAudit(reply: Uint8Array | string, { fence, task }: AuditOptions): AuditVerdict {
  const opened = openReply(reply, fence);
  if ("problem" in opened) return refused([opened.problem]);
  const { source } = opened;
  const extraction = extract(source, expectedAudit);
  const rules = { task, role: "auditor" as const };
  if (!extraction.isMeant) return fromSignal(extraction, readSignal(source, rules), source.text);
  if ("problems" in extraction) return refused(extraction.problems);
  const verdict = validateAudit(extraction.value);
  return held(verdict, readSignal(source, rules, envelopeOf(extraction)));
}

function envelopeOf({ value, from, until }: Found): Envelope {
  const { data } = signalShape.safeParse(value);
  return {
    place: { from, until },
    isDecided: true,
    ...(data?.signal !== undefined && { signal: data.signal }),
    ...(data?.question !== undefined && { question: data.question }),
  };
}

const signalShape = openEnvelopeShape.pick({ signal: true, question: true });

type VerdictSignal = keyof typeof verdicts;

const verdicts = {
  "AUDIT PASSED": "PASS",
  "AUDIT FAILED": "FAIL",
  "AUDIT BLOCKED": "BLOCKED",
} as const;

/** Checks an audit given as an object against the signal line next to it. */
function held(verdict: AuditVerdict, { signal, problems }: Signalled): AuditVerdict {
  const { audit, warnings } = verdict;
  const said = signal && verdictOf(signal.name);
  const isOther = audit !== undefined && said !== undefined && said !== audit.verdict;
  const wrong = [
    ...verdict.problems,
    ...problems,
    ...(isOther ? [refuseDisagreement(audit.verdict, signal?.name ?? "")] : []),
    ...(signal?.name === "SEEKING DIVINE CLARIFICATION" ? [refuseAskingVerdict(audit?.verdict)] : []),
  ];
  if (wrong.length > 0) return { problems: wrong, warnings };
  return signal?.name === "ROLLBACK REQUIRED" ? { ...verdict, rollback: signal.text } : verdict;
}

function refuseAskingVerdict(verdict = "a verdict"): Problem {
  return {
    code: "SIGNAL_CONFLICT",
    message: `the reply asks a question and says ${verdict}`,
    hint: "Judge, and record the question as a note whose status is open; or ask in words, without an object: SEEKING DIVINE CLARIFICATION",
    field: "signal",
  };
}

const summaryMax = 10_000;

/** An audit given in words: the text after the line is the judgement and, if the audit failed, the finding. */
function fromSignal(extraction: Extraction, { signal, problems }: Signalled, text: string): AuditVerdict {
  if (problems.length > 0) return refused(problems);
  if (signal?.name === "SEEKING DIVINE CLARIFICATION")
    return { question: signal.question, problems: [], warnings: [] };
  if (signal?.name === "ROLLBACK REQUIRED") return { rollback: signal.text, problems: [], warnings: [] };
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
    message: `the reply says ${name} and nothing else, so it is not clear what to fix`,
    hint: "Write below the line what is wrong, where, and what to do about it.",
    field: "findings",
  };
}

function refused(problems: readonly Problem[]): AuditVerdict {
  return { problems, warnings: [] };
}
