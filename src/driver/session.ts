/**
 * A conversation's name, for a later turn to go on with it. Some programs count only over the whole of it: then what was
 * counted goes with the name, because nothing else is handed from turn to turn.
 */
export function sessionWith(id: string, counters: readonly number[]): string {
  return [id, ...counters].join(mark);
}

/** The name by which the program itself knows it, and what it had counted. */
export function sessionParts(session: string): { readonly id: string; readonly counters: readonly number[] } {
  const [id = "", ...counters] = session.split(mark);
  return { id, counters: counters.map(Number).filter((count) => Number.isSafeInteger(count) && count >= 0) };
}

/** In no name that a program gives. */
const mark = "~";
