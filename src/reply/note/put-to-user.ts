/**
 * What a reply leaves to the user, as one question: what it asks, unsettled notes, other agents that it would ask, work
 * that it wants rolled back. Nothing in a reply is dropped: whatever no part of the program acts on ends up here.
 *
 * Each item has a key. An answer settles the keys of its question, and settled items are not put to the user again.
 */
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import type { Delegation } from "../reply.ts";
import { isUnsettled, type Note } from "./note.ts";
import { askingNote, contextOfNote, noteQuestion, questionOfNote } from "./note-question.ts";
import type { AgentQuestion } from "./question.ts";

export interface ItemsForUser {
  readonly question?: AgentQuestion;
  readonly notes: readonly Note[];
  readonly delegations?: readonly Delegation[];
  /** The text after `DELEGATION REQUEST`. */
  readonly delegationRequest?: string;
  /** The text after `ROLLBACK REQUIRED`. */
  readonly rollback?: string;
  /** The task's status according to the same reply, if something is wrong with it: no other record has this. */
  readonly status?: string;
}

export interface UserQuestion {
  /** Several lines; the first one says most. */
  readonly text: string;
  readonly options: readonly string[];
  readonly keys: readonly string[];
}

/** Undefined if everything is settled. */
export function putToUser(
  left: ItemsForUser,
  isSettled: (key: string) => boolean = () => false,
): UserQuestion | undefined {
  const { notes, status } = left;
  const open = notes.filter((note) => isUnsettled(note) && !isSettled(noteKey(note)));
  const question = questionOf(left, open);
  const concerns = [...open.map(noteConcern), ...requestConcerns(left)].filter(({ key }) => !isSettled(key));
  if (question === undefined && concerns.length === 0) return undefined;
  const said = status === undefined ? [] : [`It also says: ${flat(status)}`];
  const lines = question === undefined ? concernLines(concerns) : questionLines(question, concerns);
  return {
    text: [...lines, ...said].join("\n"),
    options: question?.options ?? [],
    keys: concerns.map(({ key }) => key),
  };
}

interface Concern {
  readonly key: string;
  /** What it is, in one line; further facts are in `details`. */
  readonly line: string;
  readonly details: readonly string[];
  /** The words of a note, to recognise it in a question that was made from notes. */
  readonly asked?: string;
  /** What happens with an answer. */
  readonly answer: string;
}

/** A question read from the notes is asked while those notes are open; any other question is always asked. */
function questionOf({ question, notes }: ItemsForUser, open: readonly Note[]): AgentQuestion | undefined {
  const isInNotes = question !== undefined && noteQuestion(notes)?.text === question.text;
  if (question !== undefined) return isInNotes ? noteQuestion(open) : question;
  const asking = askingNote(open);
  return asking && questionOfNote(asking);
}

function questionLines({ text, why }: AgentQuestion, concerns: readonly Concern[]): string[] {
  const inIt = concerns.filter(({ asked }) => asked !== undefined && text.includes(asked));
  const others = concerns.filter((concern) => !inIt.includes(concern));
  const because = why === undefined ? "" : ` (${flat(why)})`;
  return [
    ...`${text}${because}`.split("\n").map((line) => oneLine(line, wordsMax)),
    ...inIt.flatMap(({ details }) => details),
    ...others.flatMap(({ line, details }) => [line, ...details]),
  ];
}

function concernLines(concerns: readonly Concern[]): string[] {
  const [first] = concerns;
  const answers = [...new Set(concerns.map(({ answer }) => answer))];
  if (first !== undefined && concerns.length === 1) return [first.line, ...first.details, ...answers];
  return [
    `It leaves ${counted(concerns.length, "thing")} to you:`,
    ...concerns.flatMap(({ line, details }, index) => [`${index + 1}. ${line}`, ...details]),
    ...answers,
  ];
}

function noteConcern(note: Note): Concern {
  const { description, category, status, escalationReason } = note;
  const context = contextOfNote(note);
  const parts = [
    ...(context === undefined ? [] : [`Context: ${flat(context)}`]),
    ...(category === undefined ? [] : [`Category: ${oneLine(category, 100)}`]),
    ...(escalationReason === undefined ? [] : [`Why you are asked: ${flat(escalationReason)}`]),
  ];
  const verb = status === "escalated" ? "escalates a note" : "leaves a note open";
  return {
    key: noteKey(note),
    line: `It ${verb}: ${flat(description)}`,
    details: parts,
    asked: questionOfNote(note).text,
    answer: "What should apply? Your answer is given to it and settles the note.",
  };
}

function requestConcerns({ delegations = [], delegationRequest, rollback }: ItemsForUser): Concern[] {
  const answer = "Agents cannot ask each other yet: your answer is given to it instead.";
  return [
    ...delegations.map(({ agent, requestType, request }) => ({
      key: `delegation ${same(agent)} ${same(request)}`,
      line: `It would ask ${oneLine(agent, 100)} (${oneLine(requestType, 100)}): ${flat(request)}`,
      details: [],
      answer,
    })),
    ...(delegationRequest === undefined
      ? []
      : [
          {
            key: `delegation ${same(delegationRequest)}`,
            line: `It would ask another agent: ${flat(delegationRequest)}`,
            details: [],
            answer,
          },
        ]),
    ...(rollback === undefined
      ? []
      : [
          {
            key: `rollback ${same(rollback)}`,
            line: `It says that work must be rolled back: ${flat(rollback)}`,
            details: [],
            answer:
              "Nothing is rolled back automatically; to do it: cox rollback TASK. Your answer is given to the agent.",
          },
        ]),
  ];
}

/** Only the words count: agents number their notes again in each reply, so a number could settle another note. */
function noteKey({ description }: Note): string {
  return `note ${same(description)}`;
}

function same(words: string): string {
  return words.trim().replace(/\s+/g, " ").toLowerCase();
}

const wordsMax = 2_000;

/** Foreign words as one line that cannot act on a terminal. */
function flat(words: string): string {
  return oneLine(words.trim().replace(/\s+/g, " "), wordsMax);
}
