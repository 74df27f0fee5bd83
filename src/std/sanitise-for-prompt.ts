/**
 * Makes words of one agent fit to stand in another's prompt: nothing in it that a person would not see, and no more of it
 * than was planned for. What tries to hide is taken out here, not written out: a model would read it all the same.
 */
import { grouped } from "./counted.ts";
import { cutAt } from "./cut.ts";
import { dangerous } from "./unicode.ts";

export interface PromptLimits {
  /** Of the whole answer, the line that says what was cut included. */
  readonly charactersMax: number;
  /** Identifies the whole text where only a part of it is shown. */
  readonly hash?: string;
}

export interface Sanitised {
  readonly text: string;
  readonly isCut: boolean;
  readonly hadInvisible: boolean;
}

export function sanitiseForPrompt(text: string, { charactersMax, hash }: PromptLimits): Sanitised {
  // A long text is not looked at to its end: whatever hides there is cut off anyway.
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

/** Room for as many hidden characters as there are others, and some. */
function lookedAtMost(charactersMax: number): number {
  return 4 * charactersMax + 1_000;
}
