/** `cox why` for people: the answer, the facts behind it, what to type. */
import { oneLine } from "../../std/printable.ts";
import { commandText, type Display, lineText } from "../text/line.ts";
import { padTo, widthOf, wrapped } from "../text/width.ts";
import type { Why } from "./why.ts";

/** `transcript` is the transcript file of its newest turn. */
export interface WhyWithTranscript extends Why {
  readonly transcript?: string | null;
}

export function whyText(
  { task, title, status, answer, facts, output, next: own, transcript = null }: WhyWithTranscript,
  look: Display,
): string {
  const reading = { command: `cox transcript ${task}`, does: `what the agent said and did: ${transcript}` };
  const next = transcript === null ? own : [...own, reading];
  const width = Math.max(1, look.columns - 4);
  const commandWidth = Math.max(0, ...next.map(({ command }) => widthOf(command)));
  const lines = [
    lineText([["bold", oneLine(task, 80)], `  ${oneLine(title, 200)}`, ["dim", `  ${status}`]], look),
    ...wrapped(answer, { width, lines: 8 }).map((line) => lineText(["  ", line], look)),
    ...facts.flatMap((fact) =>
      wrapped(fact, { width: Math.max(1, width - 2), lines: 4 }).map((line, at) =>
        lineText([at === 0 ? "  · " : "    ", line], look),
      ),
    ),
    ...output.map((line) => lineText(["    ", ["dim", "│ "], line.replaceAll("\t", "  ")], look)),
    ...next.map(({ command, does }) => {
      const padded = commandText(padTo(oneLine(command, 400), commandWidth), look);
      return `  ${padded}  ${oneLine(does, 400)}`;
    }),
  ];
  return `${lines.join("\n")}\n`;
}
