/**
 * Reads a developer's answer in a turn of a run: its object, or only its words if changes are captured at the desk, and
 * the signal in either. A reply without operations needs a reason for having none, such as captured changes or a
 * signal.
 */
import { cutAt } from "../std/cut.ts";
import type { Problem } from "../std/problem.ts";
import { boundProblems, noteWarnings } from "./check/bounds.ts";
import { claimsIn } from "./check/claims.ts";
import { emptyPromise } from "./check/promises.ts";
import { type Verdict, validate } from "./check/validate.ts";
import { wordSpans, wordsWithin } from "./check/words.ts";
import { expectedEnvelope, validateEnvelope } from "./find/expected-envelope.ts";
import { type Extraction, extract, type Found } from "./find/extract.ts";
import type { Source } from "./find/source.ts";
import { isUnsettled } from "./note/note.ts";
import { noteQuestion } from "./note/note-question.ts";
import type { Reply } from "./reply.ts";
import { openEnvelopeShape } from "./schema.ts";
import { type Envelope, readSignal } from "./signal/read-signal.ts";
import { signalLines } from "./signal/signal-lines.ts";

export interface TurnOptions {
  /** The agent has tools of its own: its changes at the desk are captured and count as operations. */
  readonly desk?: boolean;
  /** The slug of the task: a signal about another task is refused. */
  readonly task?: string;
  /** Operations of an earlier reply are already at the desk, so this one needs none. */
  readonly isWorkAtDesk?: boolean;
}

export function readTurn(source: Source, options: TurnOptions): Verdict {
  const { desk = false, task, isWorkAtDesk = false } = options;
  const extraction = extract(source, expectedEnvelope);
  const found = "value" in extraction && extraction.isMeant ? extraction : undefined;
  const verdict = found === undefined ? fromWords(source, extraction) : validateEnvelope(found.value);
  const { reply } = verdict;
  const envelope = found && envelopeOf(found, reply);
  const rules = { role: "developer" as const, ...(task !== undefined && { task }) };
  const { signal, checkpoints, problems } = readSignal(source, rules, envelope);
  // A broken object may have held the signal, so only mistakes in the lines themselves are reported then.
  if (reply === undefined) return found === undefined ? verdict : withProblems(verdict, problems);
  const wrong = [...problems, ...boundProblems(reply)];
  if (wrong.length > 0) return withProblems(verdict, wrong);

  const words = found === undefined ? source.text : wordsBeside(source, found, reply);
  const isAsking = reply.notes.some(isUnsettled) || reply.delegations.length > 0;
  const isAside = signal !== undefined && signal.name !== "READY FOR AUDIT";
  if (reply.operations.length === 0 && !(desk || isWorkAtDesk || isAsking || isAside))
    return refuseEmptyHanded(extraction, words);
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

const summaryMax = 10_000;
const wordsMax = 200_000;

/** If no object was meant, the words are the answer, without the signal lines, which are only for us. */
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

/** Removes signal lines but keeps other text on them. A line that only begins like a signal is a sentence and stays. */
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
  const asked = reply && noteQuestion(reply.notes);
  return {
    place,
    ...(asked !== undefined && { noteQuestion: asked }),
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

/** Refuses the reply as `cox apply` does, because nothing is captured. */
function refuseEmptyHanded(extraction: Extraction, words: string): Verdict {
  const promise = emptyPromise(words);
  if (promise !== undefined) return { problems: [promise], warnings: [] };
  if ("problems" in extraction) return { problems: extraction.problems, warnings: [] };
  return validate(extraction.value);
}
