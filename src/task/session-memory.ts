/**
 * What one session was given last of the coordinator's list, for as long as its connection lasts: so that a note on one
 * task never completes another, which a parallel session of the same name has begun meanwhile.
 *
 * A new session remembers nothing, and goes on with what is in progress.
 */
export class SessionMemory {
  /** The slug. */
  given: string | undefined;
}
