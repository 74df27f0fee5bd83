/** Phrases that several events share. */
import type { DecisionMaker } from "../../kernel/decision-maker.ts";
import type { Finding } from "../../kernel/event.ts";
import { firstLine, oneLine } from "../../std/printable.ts";

export function colonPhrase(text: string): string {
  return text === "" ? "" : `: ${firstLine(text, 300)}`;
}

export function byPhrase(by: DecisionMaker | undefined): string {
  return by === undefined || by.door === "coordinator"
    ? ""
    : ` (by ${oneLine(by.who, 60)}, ${oneLine(by.door, 20)})`;
}

export function findingsPhrase(findings: readonly Finding[]): string {
  const [first] = findings;
  if (!first) return "no reason was given";
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : "";
  const where =
    first.path === undefined || first.message.includes(first.path) ? "" : `${oneLine(first.path, 120)}: `;
  return `${where}${firstLine(first.message, 300)}${more}`;
}

/** The command that shows the full output of a verify command. */
export function outputPhrase(task: string, [first]: readonly Finding[]): string {
  const isPrinted = first?.code.startsWith("VERIFY_") && first.message.includes("\n");
  return isPrinted ? `   cox why ${oneLine(task, 60)} --output` : "";
}
