/**
 * A question that an agent wrote as a note, in the note's words. An agent that signals a question may put it there, and
 * an open note that asks something counts as asking.
 */
import { isUnsettled, type Note } from "./note.ts";
import { type AgentQuestion, questionIn } from "./question.ts";

/**
 * What the notes ask, if the reply signals a question: the one note that is a question, or else all unsettled notes.
 */
export function noteQuestion(notes: readonly Note[]): AgentQuestion | undefined {
  const open = notes.filter(isUnsettled);
  const asking = askingNote(open) ?? (open.length === 1 ? open[0] : undefined);
  if (asking !== undefined) return questionOfNote(asking);
  return open.length === 0
    ? undefined
    : { text: open.map((note) => questionOfNote(note).text).join("\n"), options: [] };
}

/** The only note that asks something. Undefined if there are several, or none. */
export function askingNote(notes: readonly Note[]): Note | undefined {
  const asking = notes.filter(asks);
  return asking.length === 1 ? asking[0] : undefined;
}

/** Word for word. Its context is kept separately and is not part of it. */
export function questionOfNote({ description }: Note): AgentQuestion {
  const { text, options } = questionIn(description) ?? { text: description.trim(), options: [] };
  return { text, options };
}

/** Where it came up: from the note's own field, and from `Context:` in its words. */
export function contextOfNote({ description, context }: Note): string | undefined {
  const { why } = questionIn(description) ?? {};
  const parts = [context, why].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join("; ");
}

function asks(note: Note): boolean {
  return /^\W{0,4}question\W{0,4}:/im.test(note.description) || questionOfNote(note).text.endsWith("?");
}
