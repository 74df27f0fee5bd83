/**
 * What an agent hands in through tools, as lines of a file: each call that was accepted is one, and all of them together
 * are the turn's proposals. Whoever writes to that file is not believed: every line is judged again when it is read.
 */
import { type ProposalRules, Proposals } from "./proposals.ts";

export type HandedIn =
  | { readonly propose: unknown; readonly replace?: boolean }
  /** What surrounds the operations, or an auditor's judgement. */
  | { readonly submit: unknown }
  /** What an agent that only proposes tried to change itself: all that this comes to at one path, so far. */
  | { readonly tried: unknown; readonly at: unknown };

/** With what ends a line before it: of a writer that was killed half a line may be there. */
export function handedInLine(handedIn: HandedIn): string {
  return `\n${JSON.stringify(handedIn)}\n`;
}

export function readHandedIn(lines: string, rules: ProposalRules): Proposals {
  const proposals = new Proposals(rules);
  for (const line of lines.split("\n")) take(proposals, handedInOf(line));
  return proposals;
}

/** Of a line that has a problem nothing is kept. */
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
