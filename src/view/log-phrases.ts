/** Phrases that the words of several events share. */
import type { Decider } from "../kernel/decider.ts";
import type { Told } from "../kernel/event.ts";
import { firstLine, oneLine } from "../std/printable.ts";

export function colonPhrase(text: string): string {
  return text === "" ? "" : `: ${firstLine(text, 300)}`;
}

export function byPhrase(by: Decider | undefined): string {
  return by === undefined || by.door === "coordinator"
    ? ""
    : ` (by ${oneLine(by.who, 60)}, ${oneLine(by.door, 20)})`;
}

export function toldPhrase(told: readonly Told[]): string {
  const [first] = told;
  if (!first) return "no reason was given";
  const more = told.length > 1 ? ` (and ${told.length - 1} more)` : "";
  const where =
    first.path === undefined || first.message.includes(first.path) ? "" : `${oneLine(first.path, 120)}: `;
  return `${where}${firstLine(first.message, 300)}${more}`;
}

/** Where all of it is that a verify command printed. */
export function outputPhrase(task: string, [first]: readonly Told[]): string {
  const isPrinted = first?.code.startsWith("VERIFY_") && first.message.includes("\n");
  return isPrinted ? `   cox why ${oneLine(task, 60)} --output` : "";
}
