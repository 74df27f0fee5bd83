/** Commands that steer a run. */
import { type CommandSpec, json, noInput, root, run } from "./command.ts";

export const steerCommands: readonly CommandSpec[] = [
  {
    name: "pause",
    summary: "Let running turns finish; start no new ones",
    usage: "cox pause [RUN] [options]",
    about: `The process that works on the run stops when its agents have finished. If none does, the pause is
recorded.

Exit: 0 recorded · 1 refused · 5 not ready · 6 the process that works on the run does not answer`,
    words: 1,
    takes: ["run"],
    options: [root, json],
    examples: [
      ["cox pause", "pause the newest run"],
      ["cox resume", "continue"],
    ],
  },
  {
    name: "stop",
    summary: "End running agents; their work stays at their desks",
    usage: "cox stop [RUN] [options]",
    about: `Like cox pause, but does not wait for running turns.

Exit: 0 recorded · 1 refused · 5 not ready · 6 the process that works on the run does not answer`,
    words: 1,
    takes: ["run"],
    options: [root, json],
    examples: [
      ["cox stop", "end the newest run's agents"],
      ["cox resume", "continue"],
    ],
  },
  {
    name: "answer",
    summary: "Answer an agent's question",
    usage: "cox answer QUESTION TEXT [options]",
    about: `Everything after the question's name is the answer; the number of an option stands for its text.
The agent continues with it: at once if a process works on the run, else after cox resume.

Exit: 0 recorded · 1 refused · 2 usage · 5 not ready
      6 the process that works on the run does not answer`,
    words: 1000,
    takes: ["question", "text"],
    options: [run, root, json],
    examples: [
      ['cox answer q1 "use port 8080"', "say it in words"],
      ["cox answer q2 1", "choose the first option"],
    ],
  },
  {
    name: "confirm",
    summary: "Allow what only a person may allow",
    usage: "cox confirm QUESTION [options]",
    about: `Covers exactly what was asked: for other content at the same path you are asked again.

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
    summary: "Deny it; the agent must do without",
    usage: "cox deny QUESTION [REASON] [options]",
    about: `Everything after the question's name is the reason, which the agent gets.

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
    summary: "Try a failed task again",
    usage: "cox retry TASK [options]",
    about: `Its limits start again. The agent continues with the files at its desk, unless you add --afresh.

Exit: 0 recorded · 1 refused · 2 usage · 5 not ready
      6 the process that works on the run does not answer`,
    words: 1,
    takes: ["task"],
    options: [
      { name: "afresh", text: "Start from the branch as it is now; the files at the desk are lost" },
      run,
      root,
      json,
    ],
    examples: [
      ["cox retry users", "continue with the files at its desk"],
      ["cox retry users --afresh", "start over"],
    ],
  },
  {
    name: "rollback",
    summary: "Revert a task on the run's branch",
    usage: "cox rollback TASK [options]",
    about: `Shows what would be reverted, in which order, and which tasks must stop for it; then asks. A task
that others depend on is reverted only with them (--cascade). History is never rewritten: each
commit is reverted by a new one. A revert that conflicts with later changes is refused before
anything is changed. The plan's verify commands run afterwards.

Exit: 0 reverted · 1 refused, or what is left does not pass · 2 usage · 3 needs your yes · 5 not
      ready · 6 the process that works on the run does not answer`,
    words: 1,
    takes: ["task"],
    options: [
      { name: "cascade", text: "Also revert the tasks that depend on it" },
      { name: "dry-run", text: "Only show what would be reverted" },
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
    about: `Shows the branch, how it moves (fast-forward or merge commit) and which files of your checkout
change; then asks. Your uncommitted work is left alone; if it is in the way, landing is refused and
the files are named. Files, index and branch change together or not at all. Only one landing runs at
a time.

A merge is a new tree, so the plan's verify commands run on it first, at a desk. If they fail,
nothing lands, unless you add --unverified, which is recorded. The same goes for a fast-forward to a
commit that did not pass.

Exit: 0 landed, or nothing to land · 1 refused, nothing changed · 3 needs your yes · 5 not ready
      6 a process works on the run, or is landing here`,
    words: 1,
    takes: ["run"],
    options: [
      { name: "dry-run", text: "Only show what would change" },
      { name: "unverified", text: "Land it even if the verify commands did not pass on it" },
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
    summary: "Free disk space: remove what is no longer needed",
    usage: "cox gc [options]",
    about: `Removes the desks of runs that are over, and the refs that keep their objects, except for the newest
five runs. A run that is not over keeps everything. Branches and logs are never removed.

It also removes the earlier versions of files kept for changesets that are older than 30 days and
not among the newest 20: cox undo still lists those but refuses them. Replies that have waited that
long for a person's yes (.coxswain/waiting) go too.

Exit: 0 done · 2 usage · 5 not ready
      6 another cox is starting a run or clearing here, for longer than ten seconds`,
    words: 0,
    options: [
      { name: "dry-run", text: "Only show what would be removed" },
      { name: "keep", argument: "N", text: "How many finished runs keep their desks (default: 5)" },
      { name: "days", argument: "N", text: "Remove changesets and replies older than N days (default: 30)" },
      root,
      json,
    ],
    examples: [
      ["cox gc --dry-run", "see what would be freed"],
      ["cox gc --keep 0", "keep only runs that are not over"],
      ["cox gc --days 7", "clear changesets and replies older than a week"],
    ],
  },
];
