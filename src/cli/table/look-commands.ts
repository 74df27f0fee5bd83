/** Commands that look at a run and change nothing. */
import { type CommandSpec, json, noInput, root, run } from "./command.ts";

export const lookCommands: readonly CommandSpec[] = [
  {
    name: "status",
    summary: "How a run stands, on one screen: what needs you, who works, what waits",
    usage: "cox status [RUN] [options]",
    about: `Of the newest run (that began last), or the one that is named, also by the beginning of its name;
others that are open are mentioned. Takes no lock and changes nothing. --watch stays until the run
is over, also while it is paused or no process works on it; with --json it prints one document a
line, at each change.

The time is run time: it stands still while no process works on the run, and never goes back. How
long ago something was asked or heard is told by the clock on the wall.

Where the log is not as it was written, that comes first, then what stands before the damage; every
command that looks at a run does so.

Exit: 0 told, however the run stands · 2 there is no such run · 5 its log is damaged`,
    words: 1,
    takes: ["run"],
    options: [
      { name: "watch", short: "w", text: "Show it again as it changes, in place on a terminal" },
      { name: "settings", text: "Every setting the run goes by, and who said it" },
      { name: "all", text: "Every run of the repository, a row each, the one that began last first" },
      root,
      json,
    ],
    examples: [
      ["cox status", "how the newest run stands"],
      ["cox status --all", "the runs there are"],
      ["cox status --watch", "keep looking"],
      ["cox status --json | jq .counts", "for a script"],
    ],
  },
  {
    name: "questions",
    summary: "What waits for you, with the commands that answer",
    usage: "cox questions [RUN] [options]",
    about: "Exit: 0 told, also when nothing waits · 2 there is no such run · 5 its log is damaged",
    words: 1,
    takes: ["run"],
    options: [root, json],
    examples: [["cox questions", "see what is asked, and answer"]],
  },
  {
    name: "why",
    summary: "Why a task is where it is, and what would free it",
    usage: "cox why TASK [options]",
    about: `With --output: what its verify commands printed the last time they ran, the last 16 KiB of each;
without a task, of the newest verification of the run, which may be that of the whole.

Exit: 0 told · 1 there is no such task, or no output · 2 usage, or no such run · 5 it is damaged`,
    words: 1,
    takes: ["task"],
    options: [
      { name: "output", text: "What its verify commands printed, as far as it is kept" },
      run,
      root,
      json,
    ],
    examples: [
      ["cox why build", "what it waits for, and what to type"],
      ["cox why build --output", "what its tests printed"],
    ],
  },
  {
    name: "log",
    summary: "What happened in a run, one line an event, from the beginning",
    usage: "cox log [RUN] [options]",
    about: `With --json each event is one line, as it was recorded. --verify says whether the log is as it was
written; --repair cuts a damaged one off before the damage, after you have seen what is lost.
--documents tells instead who changed which documents and tasks, through which door, and with a
number all that this change put in and took out (cox undo --documents takes it back): with --verify,
--json and --limit; its --repair keeps every record that can still be read.

Exit: 0 told, or sound · 1 no such task · 2 no such run · 3 --repair needs you · 5 it is damaged
      6 another process holds the run`,
    words: 1,
    takes: ["run"],
    options: [
      { name: "follow", short: "f", text: "Go on as more is recorded, while somebody is at work on the run" },
      {
        name: "level",
        argument: "1|2|3",
        oneOf: ["1", "2", "3"],
        text: "1 the essential, 2 the usual (default), 3 every detail (default with --json)",
      },
      { name: "task", argument: "TASK", text: "Only what is about this task" },
      { name: "numbers", short: "n", text: "Each event with its number, for cox replay --to" },
      { name: "documents", text: "Who changed which documents and tasks, instead of what happened in a run" },
      { name: "limit", argument: "N", text: "With --documents: only the last N changes" },
      { name: "verify", text: "Check every record against its checksum and the log's second witness" },
      { name: "repair", text: "Mend a damaged log, with what is lost told first; the original is kept" },
      { name: "yes", short: "y", text: "Accept what --repair loses" },
      root,
      noInput,
      json,
    ],
    examples: [
      ["cox log --follow", "watch it happen"],
      ["cox log --task build --level 3", "all about one task"],
      ["cox log --verify", "is it as it was written?"],
      ["cox log --documents --limit 20", "who changed which task last"],
      ["cox log --documents 12", "what change 12 put in and took out"],
    ],
  },
  {
    name: "replay",
    summary: "How a run stood at any event of its log, as cox status shows it",
    usage: "cox replay [RUN] [--to SEQ] [options]",
    about: `SEQ is the number of an event: cox log --numbers shows them. The state is made anew from the log up
to that event, in the times of that moment; what comes after it is not known to it. Without --to it
is the newest. Changes nothing.

Exit: 0 told · 2 there is no such run, or no such event · 5 its log is damaged`,
    words: 1,
    takes: ["run"],
    options: [
      { name: "to", argument: "SEQ", text: "The number of the event to stop at, from 1" },
      root,
      json,
    ],
    examples: [
      ["cox log --numbers", "find the number of an event"],
      ["cox replay --to 42", "the newest run, as it was then"],
      ["cox replay api-k3f9ab --to 42 --json", "another run, for a script"],
    ],
  },
  {
    name: "transcript",
    summary: "What an agent said and did in a turn, from its first word to its last",
    usage: "cox transcript TASK|TURN [options]",
    about: `Of a task: its newest turn, with the names of those before it. As it came, also while the turn
goes on or after it was killed; what looks like a key or a token is masked, and of a very long one
the first and the last part are kept. --json has every event that the agent's program told.

--follow goes on as more is said, one turn of the task after the other, until the task is over or
Ctrl-C; of a TURN until that has ended. With --json it prints one entry a line.

Exit: 0 told · 1 no such task or turn, or no transcript of it · 2 no such run · 5 the log is damaged
      130 interrupted while it followed`,
    words: 1,
    takes: ["task"],
    options: [
      { name: "follow", short: "f", text: "Go on as more is said, until the task is over" },
      run,
      root,
      json,
    ],
    examples: [
      ["cox transcript build", "the newest turn of a task"],
      ["cox transcript build --follow", "watch an agent at work"],
      ["cox transcript build.1.1", "an earlier one, by its name"],
      ["cox transcript build --json | jq .entries", "with every event"],
    ],
  },
  {
    name: "diff",
    summary: "What a task changed, or the whole run",
    usage: "cox diff [TASK] [options]",
    about: `Of a task that is committed: its commit. Before: what was captured at its desk last. Without a
task: everything on the run's branch. For your eyes, not to be applied: long files are cut.

Exit: 0 told, also when nothing was changed · 1 no such task · 2 no such run
      5 no repository, or the log is damaged`,
    words: 1,
    takes: ["task"],
    options: [{ name: "stat", text: "Only the files, with lines added and removed" }, run, root, json],
    examples: [
      ["cox diff --stat", "the run at a glance"],
      ["cox diff build", "one task, line by line"],
    ],
  },
  {
    name: "stats",
    summary: "Files promised and files really on disk; what a run took, by agent and task",
    usage: "cox stats [RUN] [options]",
    about: `Counted over every changeset of the folder, and over the newest run, or the one that is named:
persistence rate, prompts asked again, verifications that failed, turns, time, tokens, money.

Exit: 0 told · 2 there is no such run · 5 its log is damaged`,
    words: 1,
    takes: ["run"],
    options: [root, json],
    examples: [["cox stats --json", "for a script"]],
  },
];
