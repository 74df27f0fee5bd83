/**
 * Finds the expected object in what a model wrote: text with blocks, a bare object, or prose with an object in it.
 *
 * The first rank that contains it decides. All candidates of that rank that contain it must be valid and equal: of two
 * lists nobody can say which is meant, and a broken one next to a complete one may be the one that was meant.
 */
import type { Problem } from "../../std/problem.ts";
import { type JudgedCandidate, judgeCandidate, type Settled, settle } from "../judge.ts";
import {
  refuseEmptyBlock,
  refuseForeignTag,
  refuseManyPlaces,
  refuseNothing,
  refuseTwo,
  refuseUnclosed,
} from "../refuse.ts";
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
import type { ExpectedObject } from "./expected-object.ts";
import { type Fence, hasTag } from "./fences.ts";
import { parseScanned } from "./json.ts";
import { skipSpace } from "./scan.ts";
import type { Source } from "./source.ts";
import { syntaxProblem } from "./syntax.ts";

export type Extraction = (Found | { readonly problems: readonly Problem[] }) & {
  /** False if the reply does not try to give the expected object: then its text may say something instead. */
  readonly isMeant: boolean;
};

export interface Found {
  /** Valid JSON, not checked in any other way yet. */
  readonly value: unknown;
  /** Its position in the text. */
  readonly from: number;
  readonly until: number;
}

export function extract(source: Source, sought: ExpectedObject): Extraction {
  const search = { ...source, sought };
  const byTag = source.tag === undefined ? undefined : fromTagged(search, source.tag);
  return byTag ?? cutOff(source) ?? fromBlocks(search);
}

interface Search extends Source {
  readonly sought: ExpectedObject;
}

/** Reads the blocks with the turn's tag. A block with another turn's tag was copied from somewhere. */
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
  const lesser: JudgedCandidate[] = [];
  for (const rank of [blocks(text, fences.filter(isJson), scanner), otherBlocks(fences)]) {
    const judged = judgeAll(search, rank);
    const decided = answer(search, settle(judged, sought));
    if (decided !== undefined) return decided;
    lesser.push(...judged.filter((one) => one.resembles));
  }
  return fromProse(search, lesser);
}

/** Tries the whole reply, then objects in its prose; `lesser` are candidates in blocks that only mention the object. */
function fromProse(search: Search, lesser: readonly JudgedCandidate[]): Extraction {
  const { text, scanner, sought } = search;
  const whole = wholeReply(text, scanner);
  if (whole?.scan.complete === true && skipSpace(text, whole.scan.end) === text.length) {
    return nearest(search, judgeCandidate(text, whole, sought));
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
  if (whole !== undefined && isMeantAsJson(text, whole))
    return nearest(search, judgeCandidate(text, whole, sought));
  return { problems: [refuseNothing(search, sought.words)], isMeant: false };
}

function judgeAll({ text, sought }: Search, candidates: readonly Candidate[]): JudgedCandidate[] {
  return candidates.map((candidate) => judgeCandidate(text, candidate, sought));
}

function answer({ text, sought }: Search, settled: Settled | undefined): Extraction | undefined {
  if (settled === undefined) return undefined;
  if ("judged" in settled) return meant(settled.judged);
  const [one, other] = settled.conflict;
  return refused(refuseTwo(text, [one.from, other.from], sought.words));
}

/**
 * If the object was not meant to be here, the words may say why. If it is broken or misplaced, that must be reported.
 */
function nearest({ sought }: Search, judged: JudgedCandidate): Extraction {
  const { value, resembles } = judged;
  const isMeant = value === undefined || (resembles && !sought.isEmpty(value));
  return { ...meant(judged), isMeant };
}

function meant({ value, problems, candidate }: JudgedCandidate): Extraction {
  if (value === undefined) return { problems, isMeant: true };
  return { value, from: candidate.from, until: candidate.until, isMeant: true };
}

/** A log line may begin with a bracket too. */
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
