/** Judges one candidate, and the candidates of one rank together. */
import type { Problem } from "../std/problem.ts";
import type { Candidate } from "./find/candidates.ts";
import type { CandidateMatch, ExpectedObject } from "./find/expected-object.ts";
import { parseScanned } from "./find/json.ts";
import { sameJson } from "./find/same.ts";
import { skipSpace } from "./find/scan.ts";
import { syntaxProblem } from "./find/syntax.ts";

export interface JudgedCandidate extends CandidateMatch {
  readonly candidate: Candidate;
  /** Missing if it is not valid JSON; the problems say why. */
  readonly value?: unknown;
  readonly problems: readonly Problem[];
}

export function judgeCandidate(text: string, candidate: Candidate, sought: ExpectedObject): JudgedCandidate {
  const { from, scan, until } = candidate;
  const source = text.slice(from, until);
  const rest = scan.complete ? skipSpace(text, scan.end) : until;
  const parsed =
    rest < until ? { problems: [syntaxProblem(text, rest, "end")] } : parseScanned(text, from, scan);
  if ("problems" in parsed) return { candidate, problems: parsed.problems, ...sought.look({ source }) };
  const { value } = parsed;
  return { candidate, value, problems: [], ...sought.look({ source, value }) };
}

export type Settled =
  | { readonly judged: JudgedCandidate }
  | { readonly conflict: readonly [Candidate, Candidate] };

/** The rank's answer. Undefined if no candidate in it is the expected object. */
export function settle(judged: readonly JudgedCandidate[], sought: ExpectedObject): Settled | undefined {
  const carriers = judged.filter((one) => one.carries);
  const [first, ...others] = carriers;
  if (first === undefined) return undefined;
  const other = others.find((one) => !sameJson(one.value, first.value));
  if (other === undefined) return { judged: first };
  const unsound = carriers.find(({ value }) => value === undefined || !sought.isSound(value));
  return unsound === undefined ? { conflict: [first.candidate, other.candidate] } : { judged: unsound };
}
