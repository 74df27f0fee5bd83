/** Explains to the author of a reply why nothing could be taken from it. */
import { grouped } from "../std/counted.ts";
import { lineAt } from "../std/place.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { isDisguised } from "./find/candidates.ts";
import type { ExpectedWords } from "./find/expected-object.ts";
import type { Fence } from "./find/fences.ts";
import type { Source } from "./find/source.ts";

export function refuseNothing({ text, fences }: Source, words: ExpectedWords): Problem {
  return {
    code: "EXTRACT_NONE",
    message: whatWasSeen(text, fences, words),
    hint: `Answer with ${words.answerWith}.`,
  };
}

function whatWasSeen(text: string, fences: readonly Fence[], { plural, field }: ExpectedWords): string {
  const words = text.trim();
  if (words === "") return "the reply is empty";
  const disguised = fences.find(isDisguised);
  if (disguised !== undefined) {
    return `the reply has no usable block: the tag of the one at line ${lineAt(text, disguised.from)} has invisible characters (${oneLine(disguised.info, 40)})`;
  }
  const seen = fences.length === 0 ? "" : ` (blocks seen: ${fences.length}, none with ${field})`;
  return `the reply holds no ${plural}${seen}; it begins: ${oneLine(words, 60)}`;
}

export function refuseUnclosed(text: string, fence: Fence): Problem {
  return {
    code: fence.value === undefined ? "EXTRACT_NONE" : "JSON_SYNTAX",
    message: `the block that begins at line ${lineAt(text, fence.from)} is never closed: the reply was cut off`,
    hint: "Send the whole reply again and close the block with the fence that opened it, on a line of its own.",
  };
}

export function refuseTwo(text: string, at: readonly [number, number], { two, one }: ExpectedWords): Problem {
  const lines = at.map((place) => lineAt(text, place));
  return {
    code: "EXTRACT_AMBIGUOUS",
    message: `the reply holds two different ${two}, at line ${lines[0]} and at line ${lines[1]}`,
    hint: `Send ${one}, in one json block.`,
  };
}

export function refuseManyPlaces(max: number): Problem {
  return {
    code: "EXTRACT_AMBIGUOUS",
    message: `the reply has more than ${grouped(max)} places where its JSON could begin`,
    hint: "Send one json block and little text around it.",
  };
}

export function refuseForeignTag(text: string, fence: Fence, tag: string): Problem {
  return {
    code: "EXTRACT_NONCE",
    message: `the block at line ${lineAt(text, fence.from)} has the tag ${oneLine(fence.info, 40)}, which is not this turn's`,
    hint: `Open the block with \`\`\`${tag}: tags of earlier turns are not valid any more.`,
  };
}

export function refuseEmptyBlock(tag: string, { answerWith }: ExpectedWords): Problem {
  return {
    code: "EXTRACT_NONE",
    message: `the block tagged ${tag} is empty`,
    hint: `Answer with ${answerWith}.`,
  };
}
