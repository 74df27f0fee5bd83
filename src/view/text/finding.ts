/** The result of one check, and its text. */
import { oneLine } from "../../std/printable.ts";
import type { Paint } from "./paint.ts";

export interface DoctorFinding {
  /** A short, stable name for scripts: "git", "lock". */
  readonly check: string;
  readonly state: "healthy" | "advice" | "blocks";
  readonly message: string;
  /** What to type or do; only a healthy result needs none. */
  readonly fix?: string;
}

export function findingText({ check, state, message, fix }: DoctorFinding, paint: Paint): string {
  const line = `${marks[state](paint)} ${paint("bold", check.padEnd(12))} ${oneLine(message, 500)}\n`;
  return fix === undefined ? line : `${line}    ${paint("dim", oneLine(fix, 500))}\n`;
}

const marks = {
  healthy: (paint: Paint) => paint("green", "✓"),
  advice: (paint: Paint) => paint("yellow", "!"),
  blocks: (paint: Paint) => paint("red", "✗"),
};
