/** What one candidate holds, and what the candidates of one rank hold together. */
import type { Candidate } from "./candidates.ts";
import { parseScanned } from "./json.ts";
import { sameJson } from "./same.ts";
import { skipSpace } from "./scan.ts";
import { syntaxProblem } from "./syntax.ts";
import { type Verdict, validate } from "./validate.ts";

export interface Judged {
  readonly candidate: Candidate;
  /** Absent when it is not valid JSON. */
  readonly value?: unknown;
  /** It holds operations, or did before it broke. */
  readonly carries: boolean;
  /** It speaks of operations. */
  readonly resembles: boolean;
  /** Asked only when it matters: most objects in a reply are samples of something else. */
  readonly verdict: () => Verdict;
}

export function judge(text: string, candidate: Candidate): Judged {
  const { from, scan, until } = candidate;
  const source = text.slice(from, until);
  const hasPaths = source.includes('"file_path"');
  const resembles = source.includes("file_operations") || (hasPaths && text[from] === "[");
  const rest = scan.complete ? skipSpace(text, scan.end) : until;
  const parsed =
    rest < until ? { problems: [syntaxProblem(text, rest, "end")] } : parseScanned(text, from, scan);
  if ("problems" in parsed) {
    const verdict = { problems: parsed.problems, warnings: [] };
    return { candidate, carries: resembles && hasPaths, resembles, verdict: () => verdict };
  }
  const { value } = parsed;
  return {
    candidate,
    value,
    carries: carriesOperations(value),
    resembles,
    verdict: () => validate(value),
  };
}

export type Settled = { readonly verdict: Verdict } | { readonly conflict: readonly [Candidate, Candidate] };

/** The rank's answer; undefined when nothing in it carries operations. */
export function settle(judged: readonly Judged[]): Settled | undefined {
  const carriers = judged.filter((one) => one.carries);
  const [first, ...others] = carriers;
  if (first === undefined) return undefined;
  const other = others.find((one) => !sameJson(one.value, first.value));
  if (other === undefined) return { verdict: first.verdict() };
  for (const one of carriers) {
    const verdict = one.verdict();
    if (verdict.reply === undefined) return { verdict };
  }
  return { conflict: [first.candidate, other.candidate] };
}

function carriesOperations(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "file_operations")) return false;
  const { file_operations } = value as { file_operations: unknown };
  return Array.isArray(file_operations) && file_operations.length > 0;
}
