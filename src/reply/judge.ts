/** What one candidate holds, and what the candidates of one rank hold together. */
import type { Problem } from "../std/problem.ts";
import type { Candidate } from "./candidates.ts";
import { parseScanned } from "./json.ts";
import { sameJson } from "./same.ts";
import { skipSpace } from "./scan.ts";
import type { Likeness, Sought } from "./sought.ts";
import { syntaxProblem } from "./syntax.ts";

export interface Judged extends Likeness {
  readonly candidate: Candidate;
  /** Absent when it is not valid JSON; the problems say why. */
  readonly value?: unknown;
  readonly problems: readonly Problem[];
}

export function judge(text: string, candidate: Candidate, sought: Sought): Judged {
  const { from, scan, until } = candidate;
  const source = text.slice(from, until);
  const rest = scan.complete ? skipSpace(text, scan.end) : until;
  const parsed =
    rest < until ? { problems: [syntaxProblem(text, rest, "end")] } : parseScanned(text, from, scan);
  if ("problems" in parsed) return { candidate, problems: parsed.problems, ...sought.look({ source }) };
  const { value } = parsed;
  return { candidate, value, problems: [], ...sought.look({ source, value }) };
}

export type Settled = { readonly judged: Judged } | { readonly conflict: readonly [Candidate, Candidate] };

/** The rank's answer; undefined when nothing in it carries what is sought. */
export function settle(judged: readonly Judged[], sought: Sought): Settled | undefined {
  const carriers = judged.filter((one) => one.carries);
  const [first, ...others] = carriers;
  if (first === undefined) return undefined;
  const other = others.find((one) => !sameJson(one.value, first.value));
  if (other === undefined) return { judged: first };
  const unsound = carriers.find(({ value }) => value === undefined || !sought.isSound(value));
  return unsound === undefined ? { conflict: [first.candidate, other.candidate] } : { judged: unsound };
}
