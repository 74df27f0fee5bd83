/**
 * The one signal of a reply, from its lines and from the `signal` field of its object. Two that differ, one about
 * another task, one that is not this role's to give: an unclear reply, which is asked for again.
 */
import { cutAt } from "../std/cut.ts";
import type { Problem } from "../std/problem.ts";
import { misplacedSignal } from "./misplaced-signal.ts";
import { questionIn, toQuestion, type WireQuestion } from "./question.ts";
import {
  refuseDisagreement,
  refuseForm,
  refuseManySignals,
  refusePlace,
  refuseQuestionBeside,
  refuseRole,
  refuseSilence,
  refuseTask,
  refuseUnknownSignal,
} from "./refuse-signal.ts";
import { namesTask, parseSignalLine, type Signal, type SignalLine, type SignalName } from "./signal.ts";
import { type PlacedLine, signalLines } from "./signal-lines.ts";
import type { Source } from "./source.ts";
import { type Span, wordSpans, wordsWithin } from "./words.ts";

export interface SignalRules {
  /** The task's slug: a signal about another one is refused. */
  readonly task?: string;
  /** What this role may say. */
  readonly allowed: readonly SignalName[];
}

/** The object of the reply, as far as it has to do with signals. */
export interface Envelope {
  /** Where in the text it stands. */
  readonly place: Span;
  readonly signal?: string;
  readonly question?: WireQuestion;
  readonly summary?: string;
  /** It says how the task stands in some other way, so that no signal is needed. */
  readonly isDecided?: boolean;
}

export interface Signalled {
  readonly signal?: Signal;
  readonly checkpoints: readonly string[];
  readonly problems: readonly Problem[];
}

export function readSignal(source: Source, rules: SignalRules, envelope?: Envelope): Signalled {
  const lines = signalLines(source);
  const field = fieldLine(envelope, rules.task);
  const checkpoints = checkpointsOf([...lines.map(({ line }) => line), ...listed(field.line)], rules);
  const primary = lines.filter(({ line }) => line.name !== "Checkpoint");
  const inField = field.line?.name === "Checkpoint" ? undefined : field.line;
  const inText = primary[0];
  const problem =
    field.problem ??
    (primary.length > 1 ? refuseManySignals(source, primary) : undefined) ??
    refuseLine(inField, rules) ??
    refuseLine(inText?.line, rules) ??
    refuseDifference(inField, inText?.line);
  if (problem !== undefined) return { checkpoints, problems: [problem] };

  const spans = wordSpans(source, envelope?.place);
  const line = inField ?? inText?.line;
  if (line === undefined) {
    const misplaced = envelope?.isDecided ? undefined : misplacedSignal(source, spans, rules.task);
    return { checkpoints, problems: misplaced ? [refusePlace(source, misplaced, rules.task)] : [] };
  }
  // Beside an object that decides, a line only has to agree; alone it may have been copied from another task.
  const isAlone = inField === undefined && !envelope?.isDecided;
  const lacksTask = namesTask(line.name) && line.subject.length === 0;
  if (isAlone && lacksTask && rules.task !== undefined) {
    return { checkpoints, problems: [refuseTask(line, rules.task)] };
  }
  const said = [
    inField?.text ?? "",
    inText === undefined ? "" : wordsAround(source, spans, inText),
    envelope?.summary ?? "",
  ].find((words) => words.trim() !== "");
  const { kept } = cutAt((said ?? "").trim(), wordsMax);
  return { checkpoints, ...toSignal(line, kept, envelope?.question) };
}

function toSignal(
  { name, subject }: SignalLine,
  text: string,
  asked: WireQuestion | undefined,
): Pick<Signalled, "signal" | "problems"> {
  const [one = "", other = ""] = subject;
  switch (name) {
    case "SEEKING DIVINE CLARIFICATION": {
      const question = asked === undefined ? questionIn(text) : toQuestion(asked);
      return question === undefined
        ? { problems: [refuseSilence(name)] }
        : { signal: { name, question }, problems: [] };
    }
    case "TASK INCOMPLETE":
      return text === "" ? { problems: [refuseSilence(name)] } : { signal: { name, text }, problems: [] };
    case "HEALTH AUDIT":
      return { signal: { name, isHealthy: one === "HEALTHY", text }, problems: [] };
    case "AGENT COMPLETE":
      return { signal: { name, agent: one, text }, problems: [] };
    case "OUT_OF_SCOPE":
      return { signal: { name, from: one, to: other, text }, problems: [] };
    case "Checkpoint":
      return { problems: [] };
    default:
      return { signal: { name, text }, problems: [] };
  }
}

/** The field is one line of the same grammar; a question by itself is the signal that belongs to it. */
function fieldLine(
  envelope: Envelope | undefined,
  task: string | undefined,
): { readonly line?: SignalLine; readonly problem?: Problem } {
  const written = envelope?.signal?.trim() ?? "";
  const isAsking = envelope?.question !== undefined;
  if (written === "") return isAsking ? { line: seeking } : {};
  const newline = written.indexOf("\n");
  const head = newline === -1 ? written : written.slice(0, newline).trimEnd();
  const below = newline === -1 ? "" : written.slice(newline);
  const parsed = parseSignalLine(head);
  if (parsed === undefined) return { problem: refuseUnknownSignal(written) };
  if (isAsking && parsed.name !== seeking.name) return { problem: refuseQuestionBeside(parsed.name) };
  const line = withoutTask(parsed, head, task);
  return { line: { ...line, text: `${line.text}${below}`.trim() } };
}

const seeking: SignalLine = {
  name: "SEEKING DIVINE CLARIFICATION",
  subject: [],
  text: "",
  isMalformed: false,
};

/** In the field the task may be left out, and then the reason stands in its place. */
function withoutTask(line: SignalLine, written: string, task: string | undefined): SignalLine {
  const takesReason = line.name === "TASK INCOMPLETE" || line.name === "INFRA BLOCKED";
  if (!takesReason || line.isMalformed || line.text === "" || line.subject[0] === task) return line;
  const text = written.slice(line.name.length).trim().slice(1).trim();
  return { ...line, subject: [], text };
}

/** A checkpoint of another task is a sentence that begins with the word. */
function checkpointsOf(lines: readonly SignalLine[], { task }: SignalRules): string[] {
  return lines
    .filter(({ name, isMalformed }) => name === "Checkpoint" && !isMalformed)
    .filter(({ subject }) => task === undefined || subject.length === 0 || subject[0] === task)
    .map(({ text }) => text);
}

function refuseLine(line: SignalLine | undefined, { task, allowed }: SignalRules): Problem | undefined {
  if (line === undefined || line.name === "Checkpoint") return undefined;
  if (!allowed.includes(line.name)) return refuseRole(line.name, allowed, task);
  if (line.isMalformed) return refuseForm(line, task);
  const isOther = namesTask(line.name) && line.subject.length > 0 && line.subject[0] !== task;
  return isOther && task !== undefined ? refuseTask(line, task) : undefined;
}

function refuseDifference(field: SignalLine | undefined, line: SignalLine | undefined): Problem | undefined {
  if (field === undefined || line === undefined) return undefined;
  const [one, other] = [field, line].map(({ name, subject }) =>
    namesTask(name) ? name : [name, ...subject].join(" "),
  );
  return one === other ? undefined : refuseDisagreement(one ?? "", other ?? "");
}

const wordsMax = 8_000;

/** What an agent says with its signal stands behind it; else, where the signal is the last line, before it. */
function wordsAround(source: Source, spans: readonly Span[], { from, until, line }: PlacedLine): string {
  const charactersMax = wordsMax;
  const behind = wordsWithin(source, spans, { from: until, until: source.text.length, charactersMax });
  const after = `${line.text}\n${behind}`.trim();
  return after === "" ? wordsWithin(source, spans, { from: 0, until: from, charactersMax }) : after;
}

function listed<T>(one: T | undefined): T[] {
  return one === undefined ? [] : [one];
}
