/**
 * A conversation's name, with which a later turn can resume it. Some programs count usage only over the whole
 * conversation. Their counters are stored in the name, because nothing else is passed from turn to turn.
 */
export function sessionWith(id: string, counters: readonly number[]): string {
  return [id, ...counters].join(mark);
}

/** The program's own name for the conversation, and its counters so far. */
export function sessionParts(session: string): { readonly id: string; readonly counters: readonly number[] } {
  const [id = "", ...counters] = session.split(mark);
  return { id, counters: counters.map(Number).filter((count) => Number.isSafeInteger(count) && count >= 0) };
}

/** Does not occur in any name that a program gives. */
const mark = "~";
