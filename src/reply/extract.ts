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
  isDisguised,
  isJson,
  objectsInProse,
  otherBlocks,
  PROSE_CANDIDATES_MAX,
  wholeReply,
} from "./candidates.ts";
import { decode } from "./decode.ts";
import { excerpt, placeOf } from "./excerpt.ts";
import { type Fence, findFences, hasTag } from "./fences.ts";
import { parseScanned } from "./json.ts";
import { sameJson } from "./same.ts";
import { JsonScanner, skipSpace } from "./scan.ts";
import { syntaxProblem } from "./syntax.ts";
import { type Verdict, validate } from "./validate.ts";

export interface ExtractOptions {
  /** The tag that this turn's prompt asked for (`cox-3f9a2c`): a block with it wins over everything else. */
  readonly fence?: string;
}

export interface Extraction extends Verdict {
  /** The whole text, where nothing in it carries operations: what it says instead is worth a look. */
  readonly words?: string;
}

export function extract(reply: Uint8Array | string, options: ExtractOptions = {}): Extraction {
  const decoded = decode(reply);
  if ("problem" in decoded) return refused(decoded.problem);
  const { text } = decoded;
  const scanner = new JsonScanner(text);
  const found = findFences(text, scanner, options.fence);
  if ("tooMany" in found) return refused(tooManyBlocks(found.tooMany));
  const { fences } = found;

  if (options.fence !== undefined) {
    const decided = byTag(text, fences, options.fence, scanner);
    if (decided !== undefined) return decided;
  }
  const cutOff = fences.find((fence) => isCutOff(text, fence));
  if (cutOff !== undefined) return refused(cutOffProblem(text, cutOff));

  const lesser: Judged[] = [];
  for (const rank of [blocks(text, fences.filter(isJson), scanner), otherBlocks(fences)]) {
    const judged = rank.map((candidate) => judge(text, candidate));
    const decided = settle(text, judged);
    if (decided !== undefined) return decided;
    lesser.push(...judged.filter((one) => one.resembles));
  }
  return inProse({ text, fences, scanner, lesser });
}

/** What the blocks with the turn's tag say; a block with the tag of another turn was copied from somewhere. */
function byTag(
  text: string,
  fences: readonly Fence[],
  tag: string,
  scanner: JsonScanner,
): Extraction | undefined {
  const own = fences.filter((fence) => hasTag(fence.info, tag));
  const open = own.find((fence) => !fence.closed);
  if (open !== undefined) return refused(cutOffProblem(text, open));
  if (own.length > 0) {
    const judged = blocks(text, own, scanner).map((candidate) => judge(text, candidate));
    return settle(text, judged) ?? judged[0]?.verdict() ?? refused(emptyBlock(tag));
  }
  const foreign = fences.find((fence) =>
    fence.info.split(/\s+/).some((word) => /^cox-[0-9a-z]+$/i.test(word)),
  );
  return foreign && refused(foreignTag(text, foreign, tag));
}

function inProse(reply: {
  text: string;
  fences: readonly Fence[];
  scanner: JsonScanner;
  lesser: readonly Judged[];
}): Extraction {
  const { text, fences, scanner, lesser } = reply;
  const whole = wholeReply(text, scanner);
  if (whole?.scan.complete === true && skipSpace(text, whole.scan.end) === text.length) {
    return withWords(text, judge(text, whole));
  }
  const objects = objectsInProse(text, fences, scanner, whole);
  if (objects.length > PROSE_CANDIDATES_MAX) return refused(tooManyBlocks(PROSE_CANDIDATES_MAX));
  const colour = objects.length === 0 ? -1 : text.indexOf("\u001b");
  if (colour !== -1) return refused(syntaxProblem(text, colour, "value"));
  const judged = objects.map((candidate) => judge(text, candidate));
  const decided = settle(text, judged);
  if (decided !== undefined) return decided;

  const nearest = [...lesser, ...judged][0];
  if (nearest !== undefined) return withWords(text, nearest);
  if (whole !== undefined && isMeantAsJson(text, whole)) return withWords(text, judge(text, whole));
  return { ...refused(nothing(text, fences)), words: text };
}

interface Judged {
  readonly candidate: Candidate;
  readonly value?: unknown;
  /** It holds operations, or did before it broke. */
  readonly carries: boolean;
  /** It speaks of operations. */
  readonly resembles: boolean;
  /** Asked only when it matters: most candidates in a reply are samples of something else. */
  readonly verdict: () => Verdict;
}

function judge(text: string, candidate: Candidate): Judged {
  const { from, scan, until } = candidate;
  const source = text.slice(from, until);
  const lists = source.includes('"file_path"');
  const resembles = source.includes("file_operations") || (lists && text[from] === "[");
  const rest = scan.complete ? skipSpace(text, scan.end) : until;
  const parsed =
    rest < until ? { problems: [syntaxProblem(text, rest, "end")] } : parseScanned(text, from, scan);
  if ("problems" in parsed) {
    const verdict = { problems: parsed.problems, warnings: [] };
    return { candidate, carries: resembles && lists, resembles, verdict: () => verdict };
  }
  const { value } = parsed;
  return { candidate, value, carries: carriesOperations(value), resembles, verdict: () => validate(value) };
}

function carriesOperations(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "file_operations")) return false;
  const { file_operations } = value as { file_operations: unknown };
  return Array.isArray(file_operations) && file_operations.length > 0;
}

function settle(text: string, judged: readonly Judged[]): Extraction | undefined {
  const carriers = judged.filter((one) => one.carries);
  const [first, ...others] = carriers;
  if (first === undefined) return undefined;
  const broken = carriers.find((one) => one.value === undefined);
  if (broken !== undefined) return broken.verdict();
  const other = others.find((one) => !sameJson(one.value, first.value));
  if (other === undefined) return first.verdict();
  for (const one of carriers) {
    const verdict = one.verdict();
    if (verdict.reply === undefined) return verdict;
  }
  return refused(twoLists(text, first.candidate.from, other.candidate.from));
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

/** A list of log lines begins with a bracket too. */
function isMeantAsJson(text: string, whole: Candidate): boolean {
  const char = text[whole.from];
  if (whole.scan.faults.length > 0) return true;
  if (whole.scan.complete) return false;
  if (char === "{") return true;
  return char === "[" && text[skipSpace(text, whole.from + 1)] === "{";
}

function refused(problem: Problem): Verdict {
  return { problems: [problem], warnings: [] };
}

function cutOffProblem(text: string, fence: Fence): Problem {
  const { value } = fence;
  if (value !== undefined && !value.scan.complete) {
    return parseProblem(text, value) ?? syntaxProblem(text, value.scan.at, value.scan.want);
  }
  const { line } = placeOf(text, fence.from);
  return {
    code: value === undefined ? "EXTRACT_NONE" : "JSON_SYNTAX",
    message: `the block that begins at line ${line} is never closed: the reply was cut off`,
    hint: "Send the whole reply again and close the block with the fence that opened it, on a line of its own.",
  };
}

function parseProblem(text: string, value: { from: number; scan: Candidate["scan"] }): Problem | undefined {
  const parsed = parseScanned(text, value.from, value.scan);
  return "problems" in parsed ? parsed.problems[0] : undefined;
}

function twoLists(text: string, one: number, other: number): Problem {
  return {
    code: "EXTRACT_AMBIGUOUS",
    message: `the reply holds two different lists of operations, at line ${placeOf(text, one).line} and at line ${placeOf(text, other).line}`,
    hint: "Send one list with all operations, in one json block.",
  };
}

function tooManyBlocks(max: number): Problem {
  return {
    code: "EXTRACT_AMBIGUOUS",
    message: `the reply has more than ${max.toLocaleString("en")} places where operations could begin`,
    hint: "Send one json block with all operations and little text around it.",
  };
}

function foreignTag(text: string, fence: Fence, tag: string): Problem {
  return {
    code: "EXTRACT_NONCE",
    message: `the block at line ${placeOf(text, fence.from).line} has the tag ${excerpt(fence.info, 40)}, which is not this turn's`,
    hint: `Open the block with \`\`\`${tag}: tags of earlier turns are not valid any more.`,
  };
}

function emptyBlock(tag: string): Problem {
  return {
    code: "EXTRACT_NONE",
    message: `the block tagged ${tag} is empty`,
    hint: 'Put the reply into it: {"file_operations": […], "specialist_summary": "…"}.',
  };
}

function nothing(text: string, fences: readonly Fence[]): Problem {
  const disguised = fences.find(isDisguised);
  const seen =
    text.trim() === ""
      ? "the reply is empty"
      : disguised !== undefined
        ? `the reply has no usable block: the tag of the one at line ${placeOf(text, disguised.from).line} has invisible characters (${excerpt(disguised.info, 40)})`
        : `the reply holds no operations${fences.length === 0 ? "" : ` (blocks seen: ${fences.length}, none of them with file_operations)`}; it begins: ${excerpt(text.trim())}`;
  return {
    code: "EXTRACT_NONE",
    message: seen,
    hint: 'Answer with one ```json block that holds {"file_operations": […], "specialist_summary": "…"}.',
  };
}
