/**
 * Remembers which coordinator task a session was given last, for as long as its connection lasts. It prevents a note
 * for one task from completing another that a parallel session of the same name has started in the meantime.
 *
 * A new session remembers nothing, and continues with whatever is in progress.
 */
export class SessionMemory {
  /** The slug. */
  given: string | undefined;
}
