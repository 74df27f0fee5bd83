/** An auditor's judgement in words, for the log and for people. No finding or evidence is left out. */
import type { Audit, AuditFinding } from "../reply/audit.ts";
import { oneLine } from "../std/printable.ts";

/**
 * What is recorded for a PASS, or for a judgement that could not be made. The findings of a FAIL are recorded one by one.
 */
export function auditWords({ summary, evidence, findings }: Audit): string {
  const shown = evidence.map((one) => `${flat(one.criterion)}: ${flat(one.evidence)}`);
  const parts = [
    flat(summary),
    ...(shown.length === 0 ? [] : [`Evidence: ${shown.join("; ")}`]),
    ...(findings.length === 0 ? [] : [`Findings: ${findings.map(findingWords).join("; ")}`]),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function findingWords({ severity, file, line, problem, fix }: AuditFinding): string {
  const where = file === undefined ? "" : ` ${file}${line === undefined ? "" : `:${line}`}`;
  return flat(`${severity}${where}: ${problem}${fix === undefined ? "" : ` → ${fix}`}`);
}

function flat(words: string): string {
  return oneLine(words.trim(), 2000);
}
