/** What must hold in every run, and how a simulation reports that it did not. */

/** Each invariant by its name, in a sentence. */
export const invariants = {
  "one-agent": "a task has at most one live agent",
  slots: "no more agents live than there are slots",
  "one-start": "a turn is started at most once, whatever crashes",
  "durable-first": "nothing is done outside before the events it rests on are durable",
  "told-durable": "nobody is told of an event that is not durable",
  kept: "what was durable is there after every crash, in its place, unchanged",
  "whole-decision": "the events of one decision are there together or not at all",
  "one-writer": "a run has one writer, and whoever lost the lock writes nothing more",
  replay: "the state is what the events make of it, also from bytes and from a snapshot",
  index: "what only makes answers quick says the same as the rest of the state",
  evidence: "no commit reaches the branch without evidence, recorded and real, for its own tree",
  passed: "only what was judged to be good goes on to the branch",
  branch: "the branch holds what the log says, each commit once",
  "own-work": "a commit changes nothing but what its task changed",
  "effect-once": "what changes the world is done once",
  "dependencies-first": "nobody works at a task before what it depends on is complete",
  "finished-first": "no new task begins while more finished ones wait for the branch than there are slots",
  claims: "two tasks that declare one file are never at work together",
  held: "a task that waits for a person, and a run that is held, begin nothing",
  allowed: "what only a person may allow is on the branch only if one allowed exactly that",
  away: "nobody is sent to work who rests or is out, and a rest lasts as long as was said",
  account: "nobody of an account that rests is sent to work, and no more of it than the limits it met allow",
  "own-judge": "nobody judges what it wrote itself",
  "last-resort": "a person is asked who could be sent only when nobody is left",
  conversation: "a turn goes on only with a conversation of its own task, role and agent that is not lost",
  "read-once": "a reply has one consequence",
  "left-open":
    "no reply is taken before a person answered what it leaves open, and none with a signal of another role",
  limits: "a task gives up after so many failures of its own, not earlier and not later",
  "time-limit":
    "a turn may take as long as its task says, else as its agent's profile says, else as all turns",
  budget: "no turn begins when the budget is spent or set aside",
  "request-once": "a request that is sent twice counts once",
  clean: "whoever verifies finds exactly the tree that is verified",
  ended: "an agent that nobody wants any more is ended",
  "nobody-left": "when a run ends nobody is left at work",
  stays: "a turn is refused for what was written outside when, and only when, something was",
  ends: "a run ends, or waits for a person who can help",
  recorded: "the log lists every change of work that was taken, and each delete before a person is asked",
  unthrown: "nothing is thrown through the loop",
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
