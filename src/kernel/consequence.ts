/**
 * What each failure of a turn leads to. None is tried again blindly: a limit is waited for, a missing program asked
 * about, a task that does not fit one model given to another; only what chance may have caused is counted and repeated.
 */

/** There was nothing for the agent to work at; tried again at once it would fail again, so the run pauses. */
export const deskFailed = "DESK_FAILED";
/** It was neither held to its desk nor watched, so nobody knows what it did; from then on there is a watch. */
export const unwatched = "AGENT_UNWATCHED";
/** It wrote where it has no business: nothing of this turn is taken, and the desk is made anew. */
export const foreignWrite = "WS_FOREIGN_WRITE";
/** The coordinator ended while the agent was at work. */
export const turnLost = "AGENT_LOST";
/** More than the model can read at once. */
export const tooLong = "AGENT_CONTEXT";
/** It was to go on with a conversation that it does not know any more. */
export const sessionLost = "AGENT_SESSION_LOST";

export interface Consequence {
  /** Against the task: after so many in a row a person is asked. */
  readonly counts: boolean;
  /** The agent is not sent to anybody: for a while, longer each time, or until a person decides. */
  readonly agent?: { readonly restsMs: { readonly first: number; readonly most: number } } | "is out";
  /** The agent is not sent to this task again. */
  readonly isUnfit?: true;
  /** What the turn went on with can be gone on with again: it is not at fault. */
  readonly keepsConversation?: true;
}

export function consequenceOf(code: string): Consequence {
  return consequences.get(code) ?? { counts: true };
}

const noFault: Consequence = { counts: false, keepsConversation: true };
const consequences: ReadonlyMap<string, Consequence> = new Map<string, Consequence>([
  [turnLost, noFault],
  [deskFailed, noFault],
  [unwatched, { counts: false }],
  // Most limits are of a minute or of some hours; where nobody says which, it is asked again now and then.
  ["AGENT_RATE_LIMIT", { ...noFault, agent: { restsMs: { first: 30_000, most: 15 * 60_000 } } }],
  ["AGENT_API", { ...noFault, counts: true, agent: { restsMs: { first: 5_000, most: 2 * 60_000 } } }],
  ["AGENT_NOT_INSTALLED", { ...noFault, agent: "is out" }],
  ["AGENT_NOT_SIGNED_IN", { ...noFault, agent: "is out" }],
  // Nobody's fault, and gone: the next turn begins another.
  [sessionLost, { counts: false }],
  ["AGENT_REFUSED", { counts: false, isUnfit: true }],
  [tooLong, { counts: false, isUnfit: true }],
]);

/** Against the task. What only a conversation is at fault for is tried once more without it. */
export function isCounted(code: string, { resumes }: { readonly resumes: string | undefined }): boolean {
  return code === sessionLost ? resumes === undefined : consequenceOf(code).counts;
}

/** Of such a turn nothing is taken, not even what stands at the desk. */
export function isUntaken(code: string): boolean {
  return code === unwatched || code === foreignWrite;
}
