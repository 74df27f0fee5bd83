/** Commands that steer a run. */
import { type CommandSpec, json, noInput, root, run } from "./command.ts";

export const steerCommands: readonly CommandSpec[] = [
  {
    name: "pause",
    summary: "Let agents at work finish their turn; begin nothing new",
    usage: "cox pause [RUN] [options]",
    about: `The process that works on the run hears of it at once and ends when its agents have. Where none
does, it is recorded.

Exit: 0 recorded · 1 refused · 5 not ready · 6 the process that works on the run does not answer`,
    words: 1,
    takes: ["run"],
    options: [root, json],
    examples: [
      ["cox pause", "hold the newest run"],
      ["cox resume", "go on"],
    ],
  },
  {
    name: "stop",
    summary: "End the agents at work; what they have done stays at their desks",
    usage: "cox stop [RUN] [options]",
    about: `Like cox pause, but does not wait for turns under way.

Exit: 0 recorded · 1 refused · 5 not ready · 6 the process that works on the run does not answer`,
    words: 1,
    takes: ["run"],
    options: [root, json],
    examples: [
      ["cox stop", "end the newest run's agents"],
      ["cox resume", "go on"],
    ],
  },
  {
    name: "answer",
    summary: "Answer a question of an agent",
    usage: "cox answer QUESTION TEXT [options]",
    about: `Everything behind the question's name is the answer; the number of an option stands for its words.
The agent goes on with it, at once where a process works on the run, else with cox resume.

Exit: 0 recorded · 1 refused · 2 usage · 5 not ready
      6 the process that works on the run does not answer`,
    words: 1000,
    takes: ["question", "text"],
    options: [run, root, json],
    examples: [
      ['cox answer q1 "use port 8080"', "say it in words"],
      ["cox answer q2 1", "take the first option"],
    ],
  },
  {
    name: "confirm",
    summary: "Allow what only a person may allow",
    usage: "cox confirm QUESTION [options]",
    about: `Holds for exactly what was asked: other bytes at the same path are asked about again.

Exit: 0 recorded · 1 refused · 2 usage · 5 not ready
      6 the process that works on the run does not answer`,
    words: 1,
    takes: ["question"],
    options: [run, root, json],
    examples: [
      ["cox questions", "see what is asked"],
      ["cox confirm q1", "allow it"],
    ],
  },
  {
    name: "deny",
    summary: "Do not allow it; the agent is told to do without",
    usage: "cox deny QUESTION [REASON] [options]",
    about: `Everything behind the question's name is the reason, which the agent is told.

Exit: 0 recorded · 1 refused · 2 usage · 5 not ready
      6 the process that works on the run does not answer`,
    words: 1000,
    takes: ["question", "text"],
    options: [run, root, json],
    examples: [
      ["cox deny q1", "do not allow it"],
      ['cox deny q1 "keep the old tests"', "and say why"],
    ],
  },
  {
    name: "retry",
    summary: "Try a task again that failed",
    usage: "cox retry TASK [options]",
    about: `Its limits begin anew. It goes on from what stands at its desk, unless you want it afresh.

Exit: 0 recorded · 1 refused · 2 usage · 5 not ready
      6 the process that works on the run does not answer`,
    words: 1,
    takes: ["task"],
    options: [
      { name: "afresh", text: "Begin from the branch as it is now; what stands at the desk is lost" },
      run,
      root,
      json,
    ],
    examples: [
      ["cox retry users", "go on from what is there"],
      ["cox retry users --afresh", "begin anew"],
    ],
  },
  {
    name: "rollback",
    summary: "Take a task back, on the run's branch",
    usage: "cox rollback TASK [options]",
    about: `Shows what would be taken back, in which order, and who must stop for it; then asks. A task that
others depend on is taken back only with them (--cascade). History is never rewritten: each commit
is reverted by another one. A revert that does not fit onto what came after it is refused, before
anything is changed. The plan's verify commands run afterwards.

Exit: 0 taken back · 1 refused, or what is left does not pass · 2 usage · 3 needs your yes · 5 not
      ready · 6 the process that works on the run does not answer`,
    words: 1,
    takes: ["task"],
    options: [
      { name: "cascade", text: "Take those back too that depend on it" },
      { name: "dry-run", text: "Only show what would be taken back" },
      { name: "yes", short: "y", text: "Do not ask" },
      run,
      root,
      noInput,
      json,
    ],
    examples: [
      ["cox rollback users --dry-run", "see what it means"],
      ["cox rollback users --cascade", "with everything that depends on it"],
    ],
  },
  {
    name: "land",
    summary: "Bring a run's commits onto your branch",
    usage: "cox land [RUN] [options]",
    about: `Shows the branch, the way (fast-forward, or a merge commit) and the files of your checkout that
change; then asks. Your uncommitted work is left alone, and where it is in the way, landing is
refused and the files are named. Files, index and branch change together, or not at all; git is
told the rest. One landing at a time: who comes while another goes on is told so.

A merge is a tree that nobody has seen: the plan's verify commands run on it first, at a desk, and
where they fail nothing lands, unless you say --unverified, which is recorded. The same holds for
a fast-forward to a commit that did not pass.

Exit: 0 landed, or nothing to land · 1 refused, nothing changed · 3 needs your yes · 5 not ready
      6 a process works on the run, or lands here`,
    words: 1,
    takes: ["run"],
    options: [
      { name: "dry-run", text: "Only show what would change" },
      { name: "unverified", text: "Land it also where nobody saw the verify commands pass on it" },
      { name: "yes", short: "y", text: "Do not ask" },
      root,
      noInput,
      json,
    ],
    examples: [
      ["cox land --dry-run", "see what would change"],
      ["cox land --yes", "land the newest run"],
    ],
  },
  {
    name: "gc",
    summary: "Free the disk of what nobody needs any more",
    usage: "cox gc [options]",
    about: `Removes desks, and the refs that keep their objects, of runs that are over, but for the newest
five of them. A run that is not over keeps everything. Branches and logs are never removed.

Of changesets that are older than 30 days and not among the newest 20, the files as they were
before go: cox undo refuses these then, and still lists them. Replies that waited as long for a
person's yes (.coxswain/waiting) go too.

Exit: 0 done · 2 usage · 5 not ready
      6 another cox begins a run here, or clears, for longer than ten seconds`,
    words: 0,
    options: [
      { name: "dry-run", text: "Only show what would be removed" },
      { name: "keep", argument: "N", text: "How many runs that are over keep their desks (default: 5)" },
      { name: "days", argument: "N", text: "How old changesets and replies must be to go (default: 30)" },
      root,
      json,
    ],
    examples: [
      ["cox gc --dry-run", "see what would be freed"],
      ["cox gc --keep 0", "keep only what is not over"],
      ["cox gc --days 7", "clear changesets and replies of more than a week"],
    ],
  },
];
