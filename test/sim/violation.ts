/** What must hold in every run, and how a simulation reports that it did not. */

/** Each invariant by its name, in a sentence. */
export const invariants = {
  "one-agent": "a task has at most one live agent",
  slots: "no more agents live than there are slots",
  "one-start": "a turn is started at most once, whatever crashes",
  "durable-first": "nothing is done outside before the events that require it are durable",
  "told-durable": "no event is reported before it is durable",
  kept: "what was durable is there after every crash, in the same place, unchanged",
  "whole-decision": "the events of one decision are there together or not at all",
  "one-writer": "a run has one writer, and a process that lost the lock writes nothing more",
  replay: "replaying the events gives the same state, also from bytes and from a snapshot",
  index: "the indexes agree with the rest of the state",
  evidence: "no commit reaches the branch without evidence, recorded and real, for its own tree",
  passed: "only work that passed its audit reaches the branch",
  branch: "the branch holds what the log says, each commit once",
  "own-work": "a commit changes nothing but what its task changed",
  "effect-once": "an effect that changes something outside is done once",
  "dependencies-first": "no task is worked on before its dependencies are done",
  "finished-first": "no new task begins while more finished ones wait for the branch than there are slots",
  claims: "two tasks that declare one file are never at work together",
  held: "a task that waits for a person, and a run that is held, start no turn",
  allowed: "what only a person may allow is on the branch only if a person allowed exactly that content",
  away: "no agent that rests or is out is dispatched, and a rest lasts as long as was recorded",
  account:
    "no agent of an account that rests is dispatched, and no more of them at once than its rate limits allow",
  "own-judge": "no agent judges its own work",
  "last-resort": "a person is asked for an agent only when none is left",
  conversation: "a turn resumes only a conversation of its own task, role and agent that is not lost",
  "read-once": "a reply has one consequence",
  "left-open":
    "no reply is accepted before a person answered what it leaves open, and none with a signal of another role",
  limits: "a task fails after its own number of failures, not earlier and not later",
  "time-limit":
    "the time limit of a turn is its task's, otherwise its agent's profile's, otherwise that of all turns",
  budget: "no turn begins when the budget is spent or set aside",
  "request-once": "a request that is sent twice counts once",
  clean: "verify commands run on exactly the tree that is verified",
  ended: "an agent whose turn is no longer wanted is ended",
  "nobody-left": "when a run ends, no agent is left at work",
  stays: "a turn fails for writing outside its desk if, and only if, something was written there",
  ends: "a run ends, or waits for a person who can help",
  recorded: "the log lists every change of accepted work, and each delete before a person is asked",
  unthrown: "no exception passes through the loop",
} as const;

export type Invariant = keyof typeof invariants;

export class Violation extends Error {
  override name = "Violation";

  constructor(
    readonly invariant: Invariant,
    readonly what: string,
  ) {
    super(`${invariant} (${invariants[invariant]}): ${what}`);
  }
}

/** Called when an invariant does not hold. */
export type Violate = (invariant: Invariant, what: string) => void;
