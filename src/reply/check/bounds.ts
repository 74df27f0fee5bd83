/**
 * Limits on what a reply may pass on to other agents and to the log: how much, and under which names. Invisible
 * characters and long notes are passed on, and removed or cut wherever a model would see them; the warning says so.
 */
import { counted, grouped } from "../../std/counted.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { sanitiseForPrompt } from "../../std/sanitise-for-prompt.ts";
import type { Note } from "../note/note.ts";
import type { Output, Reply } from "../reply.ts";

type Passed = Pick<Reply, "notes" | "outputs" | "delegations">;

export function boundProblems({ notes, outputs, delegations }: Passed): Problem[] {
  return [
    ...noteProblems(notes),
    ...tooMany("outputs", outputs.length, "LIMIT_OUTPUT"),
    ...tooMany("delegations", delegations.length, "LIMIT_DELEGATION"),
    ...outputs.slice(0, entriesMax).flatMap((output, index) => outputProblems(output, index, outputs)),
    ...delegations
      .slice(0, entriesMax)
      .flatMap(({ agent, requestType, request }, index) => [
        ...tooLong(`delegations[${index}].agent`, agent, "LIMIT_DELEGATION", nameMax),
        ...tooLong(`delegations[${index}].request_type`, requestType, "LIMIT_DELEGATION", nameMax),
        ...tooLong(`delegations[${index}].request`, request, "LIMIT_DELEGATION"),
      ]),
  ];
}

export function noteProblems(notes: readonly Note[]): Problem[] {
  const long = notes
    .slice(0, entriesMax)
    .flatMap(({ description, context = "", category = "", resolution = "", escalationReason }, index) =>
      Object.entries({
        description,
        context,
        category,
        resolution,
        escalation_reason: escalationReason ?? "",
      }).flatMap(([name, text]) => tooLong(`notes[${index}].${name}`, text, "LIMIT_NOTE")),
    );
  return [...tooMany("notes", notes.length, "LIMIT_NOTE"), ...long];
}

export function noteWarnings(notes: readonly Note[]): Problem[] {
  return notes.flatMap((note, index) => {
    const field = `notes[${index}].description`;
    const warnings: Problem[] = [];
    const { hadInvisible } = sanitiseForPrompt(note.description, { charactersMax: textMax });
    if (hadInvisible) {
      warnings.push({
        code: "CONTENT_INVISIBLE",
        message: `${field} has invisible characters; they are removed before anyone reads it`,
        hint: "Write plain text.",
        field,
      });
    }
    if (note.description.length > noteMax) {
      warnings.push({
        code: "LIMIT_NOTE",
        message: `${field} has ${counted(note.description.length, "character")}; only the first ${grouped(noteMax)} are shown`,
        hint: "Say it shorter, or put the text into outputs.",
        field,
      });
    }
    return warnings;
  });
}

/** How much of a note goes into another agent's prompt. */
export const noteMax = 2_000;

const entriesMax = 100;
/** Nobody writes more than this by hand. */
const textMax = 100_000;
const outputMax = 4_000_000;
const nameMax = 100;

function tooMany(field: string, count: number, code: string): Problem[] {
  if (count <= entriesMax) return [];
  return [
    {
      code,
      message: `${field} has ${grouped(count)} entries; the limit is ${entriesMax}`,
      hint: "Keep those that matter to others.",
      field,
    },
  ];
}

function tooLong(field: string, text: string, code: string, max = textMax): Problem[] {
  if (text.length <= max) return [];
  return [
    {
      code,
      message: `${field} has ${counted(text.length, "character")}; the limit is ${grouped(max)}`,
      hint: "Say it shorter.",
      field,
    },
  ];
}

function outputProblems({ name, content }: Output, index: number, all: readonly Output[]): Problem[] {
  const field = `outputs[${index}].name`;
  const problems = tooLong(`outputs[${index}].content`, content, "LIMIT_OUTPUT", outputMax);
  if (name.length > nameMax || !plainName.test(name)) {
    problems.push({
      code: "OUTPUT_NAME",
      message: `${field} is ${quote(name, 60)}, which is not the plain name of a document`,
      hint: "Write letters, digits, dots, dashes and underscores, for example schema.md; no folders.",
      field,
    });
  }
  const first = all.findIndex((other) => other.name.toLowerCase() === name.toLowerCase());
  if (first < index) {
    problems.push({
      code: "OUTPUT_NAME",
      message: `${field} is ${quote(name, 60)}, which is already the name of outputs[${first}]`,
      hint: "Give each document its own name; names that differ only in case count as equal.",
      field,
    });
  }
  return problems;
}

/** It becomes a file name, which must be valid on any system. */
const plainName = /^[\p{L}\p{N}_][\p{L}\p{N}_. -]*$/u;
