/**
 * Reads the one signal of a reply, from its lines and from the `signal` field of its object. The reply is unclear, and
 * the agent is asked again, if two signals differ, if one is about another task, or if the role may not give it.
 */
import { cutAt } from "../../std/cut.ts";
import { lineAt } from "../../std/place.ts";
import type { Problem } from "../../std/problem.ts";
import { type TextSpan, wordSpans, wordsWithin } from "../check/words.ts";
import type { Source } from "../find/source.ts";
import { type AgentQuestion, questionIn, toQuestion, type WireQuestion } from "../note/question.ts";
import { misplacedSignal } from "./misplaced-signal.ts";
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
import { roleSignals, type SignalRole } from "./role-signals.ts";
import { namesTask, parseSignalLine, type Signal, type SignalLine } from "./signal.ts";
import { type PlacedLine, signalLines } from "./signal-lines.ts";

export interface SignalRules {
  /** The task's slug: a signal about another task is refused. */
  readonly task?: string;
  /** Whose reply it is, which decides which signals it may give. */
  readonly role: SignalRole;
}

/** The parts of the reply's object that concern signals. */
export interface Envelope {
  /** Its position in the text. */
  readonly place: TextSpan;
  readonly signal?: string;
  readonly question?: WireQuestion;
  readonly summary?: string;
  /** What its notes ask: used as the question if the signal asks for an answer without words of its own. */
  readonly noteQuestion?: AgentQuestion;
  /** The object gives the task's status in another form, so no signal is needed. */
  readonly isDecided?: boolean;
}

export interface Signalled {
  readonly signal?: Signal;
  readonly checkpoints: readonly string[];
  readonly problems: readonly Problem[];
}

export function readSignal(source: Source, rules: SignalRules, envelope?: Envelope): Signalled {
  const lines = signalLines(source);
  const field = fieldLine(envelope, rules);
  const checkpoints = checkpointsOf([...lines.map(({ line }) => line), ...listed(field.line)], rules);
  const primary = lines.filter(({ line }) => line.name !== "Checkpoint");
  const inField = field.line?.name === "Checkpoint" ? undefined : field.line;
  const inText = primary[0];
  const problem =
    field.problem ??
    (primary.length > 1 ? refuseManySignals(source, primary) : undefined) ??
    refuseLine(inField, rules) ??
    refuseLine(inText?.line, rules, inText && lineAt(source.text, inText.from)) ??
    refuseDifference(inField, inText?.line);
  if (problem !== undefined) return { checkpoints, problems: [problem] };

  const spans = wordSpans(source, envelope?.place);
  const line = inField ?? inText?.line;
  if (line === undefined) {
    const misplaced = envelope?.isDecided ? undefined : misplacedSignal(source, spans, rules.task);
    if (misplaced === undefined) return { checkpoints, problems: [] };
    const { name, at } = misplaced;
    const problem = roleSignals[rules.role].allowed.includes(name)
      ? refusePlace(source, misplaced, rules.task)
      : refuseRole(name, rules, lineAt(source.text, at));
    return { checkpoints, problems: [problem] };
  }
  // Next to an object that decides, a line only has to agree. Alone, it may have been copied from another task.
  const isAlone = inField === undefined && !envelope?.isDecided;
  const lacksTask = namesTask(line.name) && line.subject.length === 0;
  if (isAlone && lacksTask && rules.task !== undefined) {
    return { checkpoints, problems: [refuseTask(line, rules.task)] };
  }
  const own = firstSaid([
    inField?.text ?? "",
    inText === undefined ? "" : wordsBehind(source, spans, inText),
  ]);
  const around = inText === undefined ? "" : wordsBefore(source, spans, inText);
  const text = firstSaid([own, around, envelope?.summary ?? ""]);
  const asked = envelope?.question ?? (own === "" ? envelope?.noteQuestion : undefined);
  return { checkpoints, ...toSignal(line, text, asked) };
}

function firstSaid(texts: readonly string[]): string {
  const said = texts.find((words) => words.trim() !== "") ?? "";
  return cutAt(said.trim(), wordsMax).kept;
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
    case "DELEGATION REQUEST":
    case "ROLLBACK REQUIRED":
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

/** The field is one line of the same grammar. A question without a signal implies the signal for questions. */
function fieldLine(
  envelope: Envelope | undefined,
  { task, role }: SignalRules,
): { readonly line?: SignalLine; readonly problem?: Problem } {
  const written = envelope?.signal?.trim() ?? "";
  const isAsking = envelope?.question !== undefined;
  if (written === "") return isAsking ? { line: seeking } : {};
  const newline = written.indexOf("\n");
  const head = newline === -1 ? written : written.slice(0, newline).trimEnd();
  const below = newline === -1 ? "" : written.slice(newline);
  const parsed = parseSignalLine(head);
  if (parsed === undefined) return { problem: refuseUnknownSignal(written, role) };
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

/** In the field the task may be omitted; then the reason takes its place. */
function withoutTask(line: SignalLine, written: string, task: string | undefined): SignalLine {
  const takesReason = ["TASK INCOMPLETE", "INFRA BLOCKED", "ROLLBACK REQUIRED"].includes(line.name);
  if (!takesReason || line.isMalformed || line.text === "" || line.subject[0] === task) return line;
  const text = written.slice(line.name.length).trim().slice(1).trim();
  return { ...line, subject: [], text };
}

/** A checkpoint that names another task is just a sentence that begins with the word. */
function checkpointsOf(lines: readonly SignalLine[], { task }: SignalRules): string[] {
  return lines
    .filter(({ name, isMalformed }) => name === "Checkpoint" && !isMalformed)
    .filter(({ subject }) => task === undefined || subject.length === 0 || subject[0] === task)
    .map(({ text }) => text);
}

/** `at` is the line number in the text; undefined for the field. */
function refuseLine(line: SignalLine | undefined, rules: SignalRules, at?: number): Problem | undefined {
  if (line === undefined || line.name === "Checkpoint") return undefined;
  const { task, role } = rules;
  if (!roleSignals[role].allowed.includes(line.name)) return refuseRole(line.name, rules, at);
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

/** What an agent says with its signal follows the signal line or, if the signal is the last line, precedes it. */
function wordsBehind(source: Source, spans: readonly TextSpan[], { until, line }: PlacedLine): string {
  const place = { from: until, until: source.text.length, charactersMax: wordsMax };
  return `${line.text}\n${wordsWithin(source, spans, place)}`;
}

function wordsBefore(source: Source, spans: readonly TextSpan[], { from }: PlacedLine): string {
  return wordsWithin(source, spans, { from: 0, until: from, charactersMax: wordsMax });
}

function listed<T>(one: T | undefined): T[] {
  return one === undefined ? [] : [one];
}
