/**
 * Finds the object that is sought in what a model wrote: text with blocks, a bare object, or prose with an object in it.
 *
 * The first rank that carries it decides. Everything in it that carries it counts, and all of it must be valid and the
 * same: of two lists nobody can say which is meant, and a broken one beside a whole one may be the one that was meant.
 */
import type { Problem } from "../std/problem.ts";
import {
  blocks,
  type Candidate,
  isCutOff,
  isJson,
  objectsInProse,
  otherBlocks,
  PROSE_CANDIDATES_MAX,
  wholeReply,
} from "./candidates.ts";
import { type Fence, hasTag } from "./fences.ts";
import { parseScanned } from "./json.ts";
import { type Judged, judge, type Settled, settle } from "./judge.ts";
import {
  refuseEmptyBlock,
  refuseForeignTag,
  refuseManyPlaces,
  refuseNothing,
  refuseTwo,
  refuseUnclosed,
} from "./refuse.ts";
import { skipSpace } from "./scan.ts";
import type { Sought } from "./sought.ts";
import type { Source } from "./source.ts";
import { syntaxProblem } from "./syntax.ts";

export type Extraction = (Found | { readonly problems: readonly Problem[] }) & {
  /** False where nothing of what is sought was meant: what the text says instead is worth a look. */
  readonly isMeant: boolean;
};

export interface Found {
  /** Valid JSON, not yet checked in any other way. */
  readonly value: unknown;
  /** Where in the text it stands. */
  readonly from: number;
  readonly until: number;
}

export function extract(source: Source, sought: Sought): Extraction {
  const search = { ...source, sought };
  const byTag = source.tag === undefined ? undefined : fromTagged(search, source.tag);
  return byTag ?? cutOff(source) ?? fromBlocks(search);
}

interface Search extends Source {
  readonly sought: Sought;
}

/** What the blocks with the turn's tag say. A block with the tag of another turn was copied from somewhere. */
function fromTagged(search: Search, tag: string): Extraction | undefined {
  const { text, scanner, fences, sought } = search;
  const own = fences.filter((fence) => hasTag(fence.info, tag));
  const open = own.find((fence) => !fence.closed);
  if (open !== undefined) return refused(cutOffProblem(text, open));
  if (own.length > 0) {
    const judged = judgeAll(search, blocks(text, own, scanner));
    const [first] = judged;
    return (
      answer(search, settle(judged, sought)) ??
      (first === undefined ? refused(refuseEmptyBlock(tag, sought.words)) : meant(first))
    );
  }
  const foreign = fences.find(({ info }) => info.split(/\s+/).some((word) => /^cox-[0-9a-z]+$/i.test(word)));
  return foreign && refused(refuseForeignTag(text, foreign, tag));
}

function cutOff({ text, fences }: Source): Extraction | undefined {
  const open = fences.find((fence) => isCutOff(text, fence));
  return open && refused(cutOffProblem(text, open));
}

function fromBlocks(search: Search): Extraction {
  const { text, scanner, fences, sought } = search;
  const lesser: Judged[] = [];
  for (const rank of [blocks(text, fences.filter(isJson), scanner), otherBlocks(fences)]) {
    const judged = judgeAll(search, rank);
    const decided = answer(search, settle(judged, sought));
    if (decided !== undefined) return decided;
    lesser.push(...judged.filter((one) => one.resembles));
  }
  return fromProse(search, lesser);
}

/** The whole reply, or objects in its prose; `lesser` is what in the blocks at least spoke of what is sought. */
function fromProse(search: Search, lesser: readonly Judged[]): Extraction {
  const { text, scanner, sought } = search;
  const whole = wholeReply(text, scanner);
  if (whole?.scan.complete === true && skipSpace(text, whole.scan.end) === text.length) {
    return nearest(search, judge(text, whole, sought));
  }
  const objects = objectsInProse(search, sought.mentions, whole);
  if (objects.length > PROSE_CANDIDATES_MAX) return refused(refuseManyPlaces(PROSE_CANDIDATES_MAX));
  // Colour codes around an object come from a terminal, which may have wrapped or cut it.
  const colour = objects.length === 0 ? -1 : text.indexOf("\u001b");
  if (colour !== -1) return refused(syntaxProblem(text, colour, "value"));
  const judged = judgeAll(search, objects);
  const decided = answer(search, settle(judged, sought));
  if (decided !== undefined) return decided;

  const near = lesser[0] ?? judged[0];
  if (near !== undefined) return nearest(search, near);
  if (whole !== undefined && isMeantAsJson(text, whole)) return nearest(search, judge(text, whole, sought));
  return { problems: [refuseNothing(search, sought.words)], isMeant: false };
}

function judgeAll({ text, sought }: Search, candidates: readonly Candidate[]): Judged[] {
  return candidates.map((candidate) => judge(text, candidate, sought));
}

function answer({ text, sought }: Search, settled: Settled | undefined): Extraction | undefined {
  if (settled === undefined) return undefined;
  if ("judged" in settled) return meant(settled.judged);
  const [one, other] = settled.conflict;
  return refused(refuseTwo(text, [one.from, other.from], sought.words));
}

/** Where nothing is meant, the words may say why. Where it is broken or misplaced, that has to be said. */
function nearest({ sought }: Search, judged: Judged): Extraction {
  const { value, resembles } = judged;
  const isMeant = value === undefined || (resembles && !sought.isEmpty(value));
  return { ...meant(judged), isMeant };
}

function meant({ value, problems, candidate }: Judged): Extraction {
  if (value === undefined) return { problems, isMeant: true };
  return { value, from: candidate.from, until: candidate.until, isMeant: true };
}

/** Log lines begin with a bracket too. */
function isMeantAsJson(text: string, whole: Candidate): boolean {
  if (whole.scan.faults.length > 0) return true;
  if (whole.scan.complete) return false;
  const char = text[whole.from];
  return char === "{" || (char === "[" && text[skipSpace(text, whole.from + 1)] === "{");
}

function cutOffProblem(text: string, fence: Fence): Problem {
  const { value } = fence;
  if (value === undefined || value.scan.complete) return refuseUnclosed(text, fence);
  const parsed = parseScanned(text, value.from, value.scan);
  return ("problems" in parsed ? parsed.problems[0] : undefined) ?? refuseUnclosed(text, fence);
}

function refused(problem: Problem): Extraction {
  return { problems: [problem], isMeant: true };
}
