/** Why nothing could be taken from a reply, in words for whoever wrote it. */
import { grouped } from "../std/counted.ts";
import { lineAt } from "../std/place.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { isDisguised } from "./candidates.ts";
import type { Fence } from "./fences.ts";

const answerWith = 'one ```json block that holds {"file_operations": […], "specialist_summary": "…"}';

export function refuseNothing(text: string, fences: readonly Fence[]): Problem {
  return { code: "EXTRACT_NONE", message: whatWasSeen(text, fences), hint: `Answer with ${answerWith}.` };
}

function whatWasSeen(text: string, fences: readonly Fence[]): string {
  const words = text.trim();
  if (words === "") return "the reply is empty";
  const disguised = fences.find(isDisguised);
  if (disguised !== undefined) {
    return `the reply has no usable block: the tag of the one at line ${lineAt(text, disguised.from)} has invisible characters (${oneLine(disguised.info, 40)})`;
  }
  const seen = fences.length === 0 ? "" : ` (blocks seen: ${fences.length}, none with file_operations)`;
  return `the reply holds no operations${seen}; it begins: ${oneLine(words, 60)}`;
}

export function refuseUnclosed(text: string, fence: Fence): Problem {
  return {
    code: fence.value === undefined ? "EXTRACT_NONE" : "JSON_SYNTAX",
    message: `the block that begins at line ${lineAt(text, fence.from)} is never closed: the reply was cut off`,
    hint: "Send the whole reply again and close the block with the fence that opened it, on a line of its own.",
  };
}

export function refuseTwoLists(text: string, one: number, other: number): Problem {
  const lines = [one, other].map((at) => lineAt(text, at));
  return {
    code: "EXTRACT_AMBIGUOUS",
    message: `the reply holds two different lists of operations, at line ${lines[0]} and at line ${lines[1]}`,
    hint: "Send one list with all operations, in one json block.",
  };
}

export function refuseManyPlaces(max: number): Problem {
  return {
    code: "EXTRACT_AMBIGUOUS",
    message: `the reply has more than ${grouped(max)} places where operations could begin`,
    hint: "Send one json block with all operations and little text around it.",
  };
}

export function refuseForeignTag(text: string, fence: Fence, tag: string): Problem {
  return {
    code: "EXTRACT_NONCE",
    message: `the block at line ${lineAt(text, fence.from)} has the tag ${oneLine(fence.info, 40)}, which is not this turn's`,
    hint: `Open the block with \`\`\`${tag}: tags of earlier turns are not valid any more.`,
  };
}

export function refuseEmptyBlock(tag: string): Problem {
  return {
    code: "EXTRACT_NONE",
    message: `the block tagged ${tag} is empty`,
    hint: `Answer with ${answerWith}.`,
  };
}
