/**
 * Reads what a developer answered in a turn of a run: its object, or its words alone where changes are captured at the
 * desk; and the signal in either. A reply without operations needs one of the two reasons for having none.
 */
import { cutAt } from "../std/cut.ts";
import type { Problem } from "../std/problem.ts";
import { boundProblems, noteWarnings } from "./bounds.ts";
import { claimsIn } from "./claims.ts";
import { type Extraction, extract, type Found } from "./extract.ts";
import { emptyPromise } from "./promises.ts";
import { type Envelope, readSignal } from "./read-signal.ts";
import type { Reply } from "./reply.ts";
import { openEnvelopeShape } from "./schema.ts";
import type { SignalName } from "./signal.ts";
import { signalLines } from "./signal-lines.ts";
import { soughtEnvelope, validateEnvelope } from "./sought-envelope.ts";
import type { Source } from "./source.ts";
import { type Verdict, validate } from "./validate.ts";
import { wordSpans, wordsWithin } from "./words.ts";

export interface TurnOptions {
  /** The agent has tools of its own: what it changed at its desk is captured, and stands for operations. */
  readonly desk?: boolean;
  /** The slug of the task: a signal about another one is refused. */
  readonly task?: string;
}

export function readTurn(source: Source, { desk = false, task }: TurnOptions): Verdict {
  const extraction = extract(source, soughtEnvelope);
  const found = "value" in extraction && extraction.isMeant ? extraction : undefined;
  const verdict = found === undefined ? fromWords(source, extraction) : validateEnvelope(found.value);
  const { reply } = verdict;
  const envelope = found && envelopeOf(found, reply);
  const rules = { allowed: developerSignals, ...(task !== undefined && { task }) };
  const { signal, checkpoints, problems } = readSignal(source, rules, envelope);
  // An object that is broken may have held the signal: of the lines only what is wrong in itself is said then.
  if (reply === undefined) return found === undefined ? verdict : withProblems(verdict, problems);
  const wrong = [...problems, ...boundProblems(reply)];
  if (wrong.length > 0) return withProblems(verdict, wrong);

  const words = found === undefined ? source.text : wordsBeside(source, found, reply);
  const isExplained = desk || (signal !== undefined && signal.name !== "READY FOR AUDIT");
  if (reply.operations.length === 0 && !isExplained) return refuseEmptyHanded(extraction, words);
  return {
    reply: {
      ...reply,
      ...(reply.summary !== undefined && { summary: excerpt(reply.summary) }),
      checkpoints,
      ...(signal !== undefined && { signal }),
      ...(desk && { claims: claimsIn(words) }),
    },
    problems: [],
    warnings: [...verdict.warnings, ...noteWarnings(reply.notes)],
  };
}

/** Nobody passes an audit of its own, or speaks for the whole run. */
const developerSignals: readonly SignalName[] = [
  "READY FOR AUDIT",
  "TASK INCOMPLETE",
  "INFRA BLOCKED",
  "SEEKING DIVINE CLARIFICATION",
  "DELEGATION REQUEST",
  "ROLLBACK REQUIRED",
  "AGENT COMPLETE",
  "OUT_OF_SCOPE",
];

const summaryMax = 10_000;
const wordsMax = 200_000;

/** Where no object was meant, the words are the answer; lines that speak to us alone are none of them. */
function fromWords(source: Source, extraction: Extraction): Verdict {
  if (extraction.isMeant)
    return { problems: "problems" in extraction ? extraction.problems : [], warnings: [] };
  const summary = excerpt(withoutSignals(source).trim());
  const nothing = { operations: [], notes: [], outputs: [], delegations: [], checkpoints: [] };
  return {
    reply: { ...nothing, ...(summary !== "" && { summary }) },
    problems: [],
    warnings: [],
  };
}

/** Of such a line what else stands there is kept; one that only begins like a signal is a sentence. */
function withoutSignals(source: Source): string {
  let [kept, at] = ["", 0];
  for (const { line, from, until } of signalLines(source)) {
    if (line.isMalformed) continue;
    kept += source.text.slice(at, from) + (line.text === "" ? "" : `${line.text}\n`);
    at = until;
  }
  return kept + source.text.slice(at);
}

function excerpt(words: string): string {
  const { kept, cut } = cutAt(words, summaryMax);
  return cut > 0 ? `${kept}…` : kept;
}

const signalShape = openEnvelopeShape.pick({ signal: true, question: true });

function envelopeOf({ value, from, until }: Found, reply: Reply | undefined): Envelope {
  const place = { from, until };
  const { data } = signalShape.safeParse(value);
  return {
    place,
    ...(data?.signal !== undefined && { signal: data.signal }),
    ...(data?.question !== undefined && { question: data.question }),
    ...(reply?.summary !== undefined && { summary: reply.summary }),
  };
}

function withProblems({ sound, problems, warnings }: Verdict, more: readonly Problem[]): Verdict {
  return { ...(sound !== undefined && { sound }), problems: [...problems, ...more], warnings };
}

function wordsBeside(source: Source, found: Found, { summary = "" }: Reply): string {
  const all = { from: 0, until: source.text.length, charactersMax: wordsMax };
  return `${wordsWithin(source, wordSpans(source, found), all)}\n${summary}`;
}

/** As `cox apply` refuses it, where nobody captures anything. */
function refuseEmptyHanded(extraction: Extraction, words: string): Verdict {
  const promise = emptyPromise(words);
  if (promise !== undefined) return { problems: [promise], warnings: [] };
  if ("problems" in extraction) return { problems: extraction.problems, warnings: [] };
  return validate(extraction.value);
}
