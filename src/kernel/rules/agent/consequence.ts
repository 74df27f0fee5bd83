/**
 * What each failure of a turn leads to. Nothing is retried blindly: the run waits for a limit to reset, asks about a
 * missing program, and gives a task that does not fit one model to another. Only failures that may be chance are
 * counted and retried.
 */

/** There was no desk for the agent to work at. An immediate retry would fail again, so the run pauses. */
export const deskFailed = "DESK_FAILED";
/** The agent was neither confined to its desk nor watched, so nobody knows what it did. From then on it is watched. */
export const unwatched = "AGENT_UNWATCHED";
/** The agent wrote where it must not: nothing of this turn is kept, and the desk is created again. */
export const foreignWrite = "WS_FOREIGN_WRITE";
/** The coordinator ended while the agent was working. */
export const turnLost = "AGENT_LOST";
/** The input is longer than the model can read at once. */
export const tooLong = "AGENT_CONTEXT";
/** The turn was to resume a conversation that the agent's program no longer knows. */
export const sessionLostCode = "AGENT_SESSION_LOST";

export interface Consequence {
  /** The failure counts against the task: after a number of them in a row, a person is asked. */
  readonly counts: boolean;
  /** The agent is not dispatched for any task: for a while, longer each time, or until a person decides. */
  readonly agent?: { readonly restsMs: { readonly first: number; readonly most: number } } | "is out";
  /** The limit is the account's: every agent that shares it rests too. */
  readonly holdsAccount?: true;
  /** The agent is not dispatched for this task again. */
  readonly isUnfit?: true;
  /** The conversation that the turn resumed can be resumed again: it is not at fault. */
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
  // Most limits last a minute or some hours. If the agent does not report which, we retry now and then.
  [
    "AGENT_RATE_LIMIT",
    { ...noFault, agent: { restsMs: { first: 30_000, most: 15 * 60_000 } }, holdsAccount: true },
  ],
  ["AGENT_API", { ...noFault, counts: true, agent: { restsMs: { first: 5_000, most: 2 * 60_000 } } }],
  ["AGENT_NOT_INSTALLED", { ...noFault, agent: "is out" }],
  ["AGENT_NOT_SIGNED_IN", { ...noFault, agent: "is out" }],
  // Nobody's fault, and the conversation is gone: the next turn begins another.
  [sessionLostCode, { counts: false }],
  ["AGENT_REFUSED", { counts: false, isUnfit: true }],
  [tooLong, { counts: false, isUnfit: true }],
]);

/**
 * Whether the failure counts against the task. If only the conversation is at fault, the task is retried without it.
 */
export function isCounted(code: string, { resumes }: { readonly resumes: string | undefined }): boolean {
  return code === sessionLostCode ? resumes === undefined : consequenceOf(code).counts;
}

/** Nothing of such a turn is kept, not even what is at the desk. */
export function isNotTheTasksFault(code: string): boolean {
  return code === unwatched || code === foreignWrite;
}
