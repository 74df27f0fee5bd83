/**
 * Converts a state to plain data and back. A snapshot holds everything that the events said and nothing that can be
 * derived from it, so two states are equal when their snapshots are, and a snapshot can replace the events before it.
 */
import { emptyIndex } from "./initial.ts";
import { indexTasks } from "./rules/run/run.ts";
import type { MutableState, State } from "./state.ts";

/** Increase it whenever the shape changes; a snapshot of another version is discarded. */
export const snapshotVersion = 7;

export function toSnapshot(state: State): unknown {
  const {
    index: _,
    tasks,
    turns,
    replies,
    questions,
    availability,
    accounts,
    evidence,
    requests,
    ...rest
  } = state;
  return JSON.parse(
    JSON.stringify({
      ...rest,
      tasks: [...tasks.values()],
      turns: [...turns.values()],
      replies: [...replies.values()],
      questions: [...questions.values()],
      availability: [...availability.values()],
      accounts: [...accounts.values()],
      evidence: [...evidence],
      requests: [...requests],
    }),
  );
}

/** Accepts only what `toSnapshot` of this version made. */
export function fromSnapshot(snapshot: unknown): MutableState {
  const flat = snapshot as Flat;
  const state = {
    ...undefinedFields,
    ...flat,
    tasks: new Map(flat.tasks.map((task) => [task.facts.task, { ...undefinedOfTask, ...task }])),
    turns: new Map(flat.turns.map((turn) => [turn.turn, { ...undefinedOfTurn, ...turn }])),
    replies: new Map(flat.replies.map((turn) => [turn.turn, { ...undefinedOfTurn, ...turn }])),
    questions: new Map(flat.questions.map((one) => [one.question, { ...undefinedOfQuestion, ...one }])),
    availability: new Map(
      flat.availability.map((one) => [one.agent, { ...undefinedOfAvailability, ...one }]),
    ),
    accounts: new Map(flat.accounts.map((one) => [one.account, { ...undefinedOfAccount, ...one }])),
    evidence: new Map(flat.evidence),
    requests: new Set(flat.requests),
    index: emptyIndex(0),
  } as MutableState;
  indexTasks(state);
  return state;
}

type Lists = "tasks" | "turns" | "replies" | "questions" | "availability" | "accounts";
type Flat = Omit<MutableState, Lists | "evidence" | "requests" | "index"> & {
  [Name in Lists]: (MutableState[Name] extends Map<string, infer Value> ? Value : never)[];
} & { evidence: [string, never][]; requests: string[] };

/** JSON omits undefined fields; the state has them explicitly. */
const undefinedFields = { run: undefined, landing: undefined, finalVerify: undefined, baseVerify: undefined };
const undefinedOfTask = { desk: undefined, work: undefined, checkpoint: undefined };
const undefinedOfTurn = {
  resumes: undefined,
  process: undefined,
  checkpoint: undefined,
  unwanted: undefined,
  toolUses: undefined,
};
const undefinedOfQuestion = { agent: undefined, digest: undefined, agents: undefined, decision: undefined };
const undefinedOfAccount = { rest: undefined, atOnce: undefined };
const undefinedOfAvailability = { rest: undefined, out: undefined };
