/**
 * Finds the operations in what a model wrote: text with blocks, a bare object, or prose with an object in it.
 *
 * The first rank that carries operations decides. Everything in it that carries operations counts, and all of it must be
 * valid and the same: of two lists nobody can say which is meant, and a broken one beside a whole one may be the
 * one that was meant.
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
import { decode } from "./decode.ts";
import { type Fence, findFences, hasTag } from "./fences.ts";
import { parseScanned } from "./json.ts";
import { type Judged, judge, type Settled, settle } from "./judge.ts";
import {
  refuseEmptyBlock,
  refuseForeignTag,
  refuseManyPlaces,
  refuseNothing,
  refuseTwoLists,
  refuseUnclosed,
} from "./refuse.ts";
import { JsonScanner, skipSpace } from "./scan.ts";
import { syntaxProblem } from "./syntax.ts";
import type { Verdict } from "./validate.ts";

export interface ExtractOptions {
  /** The tag that this turn's prompt asked for (`cox-3f9a2c`): a block with it wins over everything else. */
  readonly fence?: string;
}

export interface Extraction extends Verdict {
  /** The whole text, where no operations were meant: what it says instead is worth a look. */
  readonly words?: string;
}

export function extract(reply: Uint8Array | string, options: ExtractOptions = {}): Extraction {
  const decoded = decode(reply);
  if ("problem" in decoded) return refused(decoded.problem);
  const { text } = decoded;
  const scanner = new JsonScanner(text);
  const found = findFences(text, scanner, options.fence);
  if ("tooMany" in found) return refused(refuseManyPlaces(found.tooMany));
  const source = { text, scanner, fences: found.fences };

  const byTag = options.fence === undefined ? undefined : fromTagged(source, options.fence);
  return byTag ?? cutOff(source) ?? fromBlocks(source);
}

/** One reply while it is being read. */
interface Source {
  readonly text: string;
  readonly scanner: JsonScanner;
  readonly fences: readonly Fence[];
}

/** What the blocks with the turn's tag say. A block with the tag of another turn was copied from somewhere. */
function fromTagged(source: Source, tag: string): Extraction | undefined {
  const { text, scanner, fences } = source;
  const own = fences.filter((fence) => hasTag(fence.info, tag));
  const open = own.find((fence) => !fence.closed);
  if (open !== undefined) return refused(cutOffProblem(text, open));
  if (own.length > 0) {
    const judged = judgeAll(source, blocks(text, own, scanner));
    return answer(text, settle(judged)) ?? judged[0]?.verdict() ?? refused(refuseEmptyBlock(tag));
  }
  const foreign = fences.find(({ info }) => info.split(/\s+/).some((word) => /^cox-[0-9a-z]+$/i.test(word)));
  return foreign && refused(refuseForeignTag(text, foreign, tag));
}

function cutOff({ text, fences }: Source): Extraction | undefined {
  const open = fences.find((fence) => isCutOff(text, fence));
  return open && refused(cutOffProblem(text, open));
}

function fromBlocks(source: Source): Extraction {
  const { text, scanner, fences } = source;
  const lesser: Judged[] = [];
  for (const rank of [blocks(text, fences.filter(isJson), scanner), otherBlocks(fences)]) {
    const judged = judgeAll(source, rank);
    const decided = answer(text, settle(judged));
    if (decided !== undefined) return decided;
    lesser.push(...judged.filter((one) => one.resembles));
  }
  return fromProse(source, lesser);
}

/** The whole reply, or objects in its prose; `lesser` is what in the blocks at least spoke of operations. */
function fromProse(source: Source, lesser: readonly Judged[]): Extraction {
  const { text, scanner, fences } = source;
  const whole = wholeReply(text, scanner);
  if (whole?.scan.complete === true && skipSpace(text, whole.scan.end) === text.length) {
    return withWords(text, judge(text, whole));
  }
  const objects = objectsInProse(text, fences, scanner, whole);
  if (objects.length > PROSE_CANDIDATES_MAX) return refused(refuseManyPlaces(PROSE_CANDIDATES_MAX));
  // Colour codes around an object come from a terminal, which may have wrapped or cut it.
  const colour = objects.length === 0 ? -1 : text.indexOf("\u001b");
  if (colour !== -1) return refused(syntaxProblem(text, colour, "value"));
  const judged = judgeAll(source, objects);
  const decided = answer(text, settle(judged));
  if (decided !== undefined) return decided;

  const nearest = lesser[0] ?? judged[0];
  if (nearest !== undefined) return withWords(text, nearest);
  if (whole !== undefined && isMeantAsJson(text, whole)) return withWords(text, judge(text, whole));
  return { ...refused(refuseNothing(text, fences)), words: text };
}

function judgeAll({ text }: Source, candidates: readonly Candidate[]): Judged[] {
  return candidates.map((candidate) => judge(text, candidate));
}

function answer(text: string, settled: Settled | undefined): Verdict | undefined {
  if (settled === undefined) return undefined;
  if ("verdict" in settled) return settled.verdict;
  const [one, other] = settled.conflict;
  return refused(refuseTwoLists(text, one.from, other.from));
}

/** Where no operations are meant, the words may say why. Where they are broken or misplaced, that has to be said. */
function withWords(text: string, judged: Judged): Extraction {
  const verdict = judged.verdict();
  const isEmpty = verdict.problems.some(
    ({ code, field }) => code === "SCHEMA_RANGE" && field === "file_operations",
  );
  const isSomethingElse = judged.value !== undefined && !judged.resembles;
  return isEmpty || isSomethingElse ? { ...verdict, words: text } : verdict;
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

function refused(problem: Problem): Verdict {
  return { problems: [problem], warnings: [] };
}
