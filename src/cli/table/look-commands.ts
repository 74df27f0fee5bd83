/** Commands that look at a run and change nothing. */
import { type CommandSpec, json, noInput, root, run } from "./command.ts";

export const lookCommands: readonly CommandSpec[] = [
  {
    name: "status",
    summary: "How a run stands, on one screen: what needs you, who works, what waits",
    usage: "cox status [RUN] [options]",
    about: `Shows the newest run, or RUN (any unique start of its name), and mentions other open runs. Takes no
lock and changes nothing. --watch stays until the run is over, also while it is paused or no process
works on it; with --json it prints one document per line, at each change.

Times are run time, which stops while no process works on the run and never goes back. How long ago
something was asked or heard is wall-clock time.

If the log is damaged, that is reported first, then the state before the damage. Every command that
shows a run does so.

Exit: 0 shown, whatever the state of the run · 2 there is no such run · 5 its log is damaged`,
    words: 1,
    takes: ["run"],
    options: [
      { name: "watch", short: "w", text: "Keep showing it as it changes, in place on a terminal" },
      { name: "settings", text: "Every setting of the run, and where it comes from" },
      { name: "all", text: "Every run of the repository, one row each, newest first" },
      root,
      json,
    ],
    examples: [
      ["cox status", "how the newest run stands"],
      ["cox status --all", "all runs"],
      ["cox status --watch", "watch it change"],
      ["cox status --json | jq .counts", "for a script"],
    ],
  },
  {
    name: "questions",
    summary: "What waits for you, with the commands that answer",
    usage: "cox questions [RUN] [options]",
    about: "Exit: 0 shown, also when nothing waits · 2 there is no such run · 5 its log is damaged",
    words: 1,
    takes: ["run"],
    options: [root, json],
    examples: [["cox questions", "see what is asked, and answer"]],
  },
  {
    name: "why",
    summary: "Why a task is where it is, and what would free it",
    usage: "cox why TASK [options]",
    about: `With --output: what its verify commands printed when they last ran, the last 16 KiB of each. Without
a task, it shows the newest verification of the run, which may be that of the whole.

Exit: 0 shown · 1 there is no such task, or no output · 2 usage, or no such run · 5 it is damaged`,
    words: 1,
    takes: ["task"],
    options: [
      { name: "output", text: "What its verify commands printed, as far as it was kept" },
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
    summary: "What happened in a run, one line per event, from the beginning",
    usage: "cox log [RUN] [options]",
    about: `With --json each event is one line, as it was recorded. --verify checks that the log is as it was
written; --repair cuts a damaged one off before the damage, after showing you what is lost.
--documents shows who changed which documents and tasks instead, and through which door; with a
number, everything that this change added and removed (cox undo --documents undoes it). It takes
--verify, --json and --limit; its --repair keeps every record that can still be read.

Exit: 0 shown, or sound · 1 no such task · 2 no such run · 3 --repair needs you · 5 it is damaged
      6 another process holds the run`,
    words: 1,
    takes: ["run"],
    options: [
      { name: "follow", short: "f", text: "Keep printing while a process works on the run" },
      {
        name: "level",
        argument: "1|2|3",
        oneOf: ["1", "2", "3"],
        text: "1 essential, 2 usual (default), 3 every detail (default with --json)",
      },
      { name: "task", argument: "TASK", text: "Only events of this task" },
      { name: "numbers", short: "n", text: "Each event with its number, for cox replay --to" },
      { name: "documents", text: "Who changed which documents and tasks, instead of what happened in a run" },
      { name: "limit", argument: "N", text: "With --documents: only the last N changes" },
      { name: "verify", text: "Check every record against its checksum and the log's second witness" },
      { name: "repair", text: "Repair a damaged log; shows first what is lost, and keeps the original" },
      { name: "yes", short: "y", text: "Accept what --repair loses" },
      root,
      noInput,
      json,
    ],
    examples: [
      ["cox log --follow", "watch it happen"],
      ["cox log --task build --level 3", "everything about one task"],
      ["cox log --verify", "is it as it was written?"],
      ["cox log --documents --limit 20", "who changed which task last"],
      ["cox log --documents 12", "what change 12 added and removed"],
    ],
  },
  {
    name: "replay",
    summary: "How a run stood at any event of its log, as cox status shows it",
    usage: "cox replay [RUN] [--to SEQ] [options]",
    about: `SEQ is the number of an event: cox log --numbers shows them. The state is rebuilt from the log up to
that event, with the times of that moment. Without --to it is the newest. Changes nothing.

Exit: 0 shown · 2 there is no such run, or no such event · 5 its log is damaged`,
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
    about: `For a task: its newest turn, and the names of the earlier ones. It also works while the turn runs or
after it was killed. Keys and tokens are masked; of a very long transcript only the first and the
last part are kept. --json has every event that the agent's program reported.

--follow keeps printing, turn after turn, until the task is over or you press Ctrl-C; for a TURN,
until that turn ends. With --json it prints one entry per line.

Exit: 0 shown · 1 no such task or turn, or no transcript · 2 no such run · 5 the log is damaged
      130 interrupted while following`,
    words: 1,
    takes: ["task"],
    options: [{ name: "follow", short: "f", text: "Keep printing until the task is over" }, run, root, json],
    examples: [
      ["cox transcript build", "the newest turn of a task"],
      ["cox transcript build --follow", "watch an agent at work"],
      ["cox transcript build.1.1", "an earlier turn, by its name"],
      ["cox transcript build --json | jq .entries", "with every event"],
    ],
  },
  {
    name: "diff",
    summary: "What a task changed, or the whole run",
    usage: "cox diff [TASK] [options]",
    about: `For a committed task: its commit. For any other: the last capture of its desk. Without a task:
everything on the run's branch. Long files are cut, so the output cannot be applied as a patch.

Exit: 0 shown, even if nothing was changed · 1 no such task · 2 no such run
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
    summary: "Files promised and files really on disk; what a run cost, by agent and task",
    usage: "cox stats [RUN] [options]",
    about: `Counts every changeset of the folder, and the newest run or RUN: persistence rate, repeated prompts,
failed verifications, turns, time, tokens, money.

Exit: 0 shown · 2 there is no such run · 5 its log is damaged`,
    words: 1,
    takes: ["run"],
    options: [root, json],
    examples: [["cox stats --json", "for a script"]],
  },
];
