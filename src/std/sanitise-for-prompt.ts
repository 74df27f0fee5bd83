/**
 * Makes one agent's words fit for another's prompt: without anything that a person would not see, and within a planned
 * length. Hidden characters are removed here, not escaped, because a model would read them anyway.
 */
import { grouped } from "./counted.ts";
import { cutAt } from "./cut.ts";
import { dangerous } from "./unicode.ts";

export interface PromptLimits {
  /** Limit of the whole result, including the line that says what was cut. */
  readonly charactersMax: number;
  /** Identifies the whole text if only part of it is shown. */
  readonly hash?: string;
}

export interface Sanitised {
  readonly text: string;
  readonly isCut: boolean;
  readonly hadInvisible: boolean;
}

export function sanitiseForPrompt(text: string, { charactersMax, hash }: PromptLimits): Sanitised {
  // A long text is not read to its end: whatever hides there is cut off anyway.
  const looked = cutAt(text, lookedAtMost(charactersMax));
  let hadInvisible = false;
  const seen = looked.kept.replaceAll("\r\n", "\n").replace(dangerous, (character) => {
    if (character === "\n" || character === "\t") return character;
    hadInvisible = true;
    return "";
  });
  if (looked.cut === 0 && seen.length <= charactersMax) return { text: seen, isCut: false, hadInvisible };
  const mark = `\n[cut: ${grouped(text.length)} characters in all${hash === undefined ? "" : `, ${hash}`}]`;
  const { kept } = cutAt(seen, Math.max(0, charactersMax - mark.length));
  return { text: cutAt(kept + mark, charactersMax).kept, isCut: true, hadInvisible };
}

/** Room for at least as many hidden characters as visible ones. */
function lookedAtMost(charactersMax: number): number {
  return 4 * charactersMax + 1_000;
}
