/** What one check found, and how that reads. */
import { oneLine } from "../std/printable.ts";
import type { Paint } from "./paint.ts";

export interface Finding {
  /** A short name that stays, for scripts: "git", "lock". */
  readonly check: string;
  readonly state: "healthy" | "advice" | "blocks";
  readonly message: string;
  /** What to type or do; only the healthy need none. */
  readonly fix?: string;
}

export function findingText({ check, state, message, fix }: Finding, paint: Paint): string {
  const line = `${marks[state](paint)} ${paint("bold", check.padEnd(12))} ${oneLine(message, 500)}\n`;
  return fix === undefined ? line : `${line}    ${paint("dim", oneLine(fix, 500))}\n`;
}

const marks = {
  healthy: (paint: Paint) => paint("green", "✓"),
  advice: (paint: Paint) => paint("yellow", "!"),
  blocks: (paint: Paint) => paint("red", "✗"),
};
