/**
 * What an agent hands in through tools, stored as lines of a file: each accepted call is one line, and together they
 * are the turn's proposals. The writer of that file is not trusted: every line is judged again when it is read.
 */
import { type ProposalRules, Proposals } from "./proposals.ts";

export type HandedIn =
  | { readonly propose: unknown; readonly replace?: boolean }
  /** The parts of a reply around its operations, or an auditor's judgement. */
  | { readonly submit: unknown }
  /** What an agent that may only propose tried to change itself: the total at one path so far. */
  | { readonly tried: unknown; readonly at: unknown };

/** Begins with a line break, because a killed writer may have left half a line. */
export function handedInLine(handedIn: HandedIn): string {
  return `\n${JSON.stringify(handedIn)}\n`;
}

export function readHandedIn(lines: string, rules: ProposalRules): Proposals {
  const proposals = new Proposals(rules);
  for (const line of lines.split("\n")) take(proposals, handedInOf(line));
  return proposals;
}

/** A line that has a problem is dropped as a whole. */
export function take(proposals: Proposals, handedIn: HandedIn | undefined) {
  if (handedIn === undefined) return [];
  if ("submit" in handedIn) return proposals.submit(handedIn.submit);
  if ("tried" in handedIn) {
    const { tried, at } = handedIn;
    if (typeof at === "string" && Array.isArray(tried)) proposals.noteTried(at, tried);
    return [];
  }
  return proposals.propose(handedIn.propose, { replace: handedIn.replace === true });
}

function handedInOf(line: string): HandedIn | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const value = JSON.parse(line) as object;
    return ["propose", "submit", "tried"].some((name) => name in value) ? (value as HandedIn) : undefined;
  } catch {
    // Half a line, or an agent's own words.
    return undefined;
  }
}
