/**
 * A state as plain data, and back. It says everything that the events said and nothing that follows from it, so two states
 * are equal when their snapshots are, and a snapshot can stand for the events before it.
 */
import { emptyIndex } from "./initial.ts";
import { indexTasks } from "./run.ts";
import type { OwnState, State } from "./state.ts";

/** Raised whenever the shape changes; a snapshot of another version is thrown away. */
export const snapshotVersion = 4;

export function toSnapshot(state: State): unknown {
  const { index: _, tasks, turns, replies, questions, standings, evidence, requests, ...rest } = state;
  return JSON.parse(
    JSON.stringify({
      ...rest,
      tasks: [...tasks.values()],
      turns: [...turns.values()],
      replies: [...replies.values()],
      questions: [...questions.values()],
      standings: [...standings.values()],
      evidence: [...evidence],
      requests: [...requests],
    }),
  );
}

/** Of what `toSnapshot` made, in this version. */
export function fromSnapshot(snapshot: unknown): OwnState {
  const flat = snapshot as Flat;
  const state = {
    ...undefinedFields,
    ...flat,
    tasks: new Map(flat.tasks.map((task) => [task.facts.task, { ...undefinedOfTask, ...task }])),
    turns: new Map(flat.turns.map((turn) => [turn.turn, { ...undefinedOfTurn, ...turn }])),
    replies: new Map(flat.replies.map((turn) => [turn.turn, { ...undefinedOfTurn, ...turn }])),
    questions: new Map(flat.questions.map((one) => [one.question, { ...undefinedOfQuestion, ...one }])),
    standings: new Map(flat.standings.map((one) => [one.agent, { ...undefinedOfStanding, ...one }])),
    evidence: new Map(flat.evidence),
    requests: new Set(flat.requests),
    index: emptyIndex(0),
  } as OwnState;
  indexTasks(state);
  return state;
}

type Lists = "tasks" | "turns" | "replies" | "questions" | "standings";
type Flat = Omit<OwnState, Lists | "evidence" | "requests" | "index"> & {
  [Name in Lists]: (OwnState[Name] extends Map<string, infer Value> ? Value : never)[];
} & { evidence: [string, never][]; requests: string[] };

/** JSON leaves out what is not there; the state says it. */
const undefinedFields = { run: undefined, landing: undefined, finalVerify: undefined, baseVerify: undefined };
const undefinedOfTask = { desk: undefined, work: undefined, checkpoint: undefined };
const undefinedOfTurn = {
  resumes: undefined,
  process: undefined,
  checkpoint: undefined,
  unwanted: undefined,
};
const undefinedOfQuestion = { agent: undefined, digest: undefined, agents: undefined, decision: undefined };
const undefinedOfStanding = { rest: undefined, out: undefined };
