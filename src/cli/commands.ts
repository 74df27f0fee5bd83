/**
 * Every command with its options, as plain data: help is printed from it and arguments are read by it, so the
 * two cannot differ. It imports nothing, because `cox --help` should cost no more than starting Node.
 */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  /** More on what it does and how it ends; shown by its own `--help` only. */
  readonly about: string;
  /** How many words it takes besides options, at most. */
  readonly words: number;
  readonly options: readonly Option[];
  readonly examples: readonly (readonly [command: string, effect: string])[];
}

export interface Option {
  readonly name: string;
  readonly short?: string;
  /** What stands for the value in help; an option without one is a switch. */
  readonly argument?: string;
  /** The values there are, where they are few. */
  readonly oneOf?: readonly string[];
  readonly repeatable?: true;
  readonly text: string;
}

const root: Option = {
  name: "root",
  argument: "DIR",
  text: "The folder to work on; nothing outside it is touched (default: here)",
};
const yes: Option = {
  name: "yes",
  short: "y",
  text: "Approve the plan and the commands of its configuration",
};
const run: Option = {
  name: "run",
  argument: "RUN",
  text: "The run that is meant, by any beginning of its name (default: the newest)",
};
const noInput: Option = { name: "no-input", text: "Never ask; stop with exit 3 where a person is needed" };
const json: Option = { name: "json", text: "Print one JSON document, on failure too, and nothing else" };

export const globalOptions: readonly Option[] = [
  { name: "directory", short: "C", argument: "DIR", text: "Start in DIR, as if you had gone there first" },
  { name: "no-color", text: "No colours; NO_COLOR and TERM=dumb do the same" },
  { name: "debug", text: "Show the stack when something unexpected happens" },
  { name: "help", short: "h", text: "Help on cox, or on one command" },
  { name: "version", short: "V", text: "Print the version" },
];

export const commands: readonly Command[] = [
  {
    name: "apply",
    summary: "Carry out a model's reply: all of it, verified, or nothing",
    usage: "cox apply [FILE|-] [options]",
    about: `Reads a model's reply (from FILE, else from stdin), finds the file operations in it, checks all
of them, shows what they will do, applies them as one changeset and reads every file back from disk.
A reply with any mistake is refused as a whole, with every mistake listed. Deletes and sensitive
files are asked about first. Crash or power cut: the next cox command finishes the changeset or
takes it back.

Exit: 0 applied · 1 refused, nothing changed · 2 usage · 3 needs your confirmation, nothing changed
      6 another cox holds the folder · 74 the disk failed · 130 interrupted`,
    words: 1,
    options: [
      root,
      { name: "dry-run", text: "Show the plan and the diff; change nothing, ask nothing" },
      { name: "yes", short: "y", text: "Confirm everything that would be asked (never what is refused)" },
      {
        name: "confirm-deletes",
        argument: "WHEN",
        oneOf: ["ask", "declared", "always-allow", "never"],
        text: "ask | declared (by a plan, else ask) | always-allow | never",
      },
      {
        name: "writes",
        argument: "GLOB",
        repeatable: true,
        text: "Refuse every path outside GLOB; may be given several times",
      },
      { name: "fence", argument: "TAG", text: "Take only the fenced block with this tag" },
      { name: "id", argument: "ID", text: "Name the changeset; the same id is never applied twice" },
      json,
    ],
    examples: [
      ["cox apply reply.md", "show, apply, verify"],
      ["cox apply reply.md --dry-run", "only look at the diff"],
      ["my-model < prompt.md | cox apply --writes 'src/**'", "straight from a model"],
    ],
  },
  {
    name: "undo",
    summary: "Take a changeset back (the latest, unless you name one)",
    usage: "cox undo [CHANGESET] [options]",
    about: `Puts every file of a changeset back as it was before, all or nothing. Refused when a file was
changed since, so your own edits are never lost. An undo is a changeset too: undo it to redo.`,
    words: 1,
    options: [{ name: "list", text: "List the changesets, newest first; change nothing" }, root, json],
    examples: [
      ["cox undo", "take the latest changeset back"],
      ["cox undo --list", "see what there is"],
      ["cox undo k3f9ab", "take that one back"],
    ],
  },
  {
    name: "check",
    summary: "Read a plan: what is wrong with it, line by line, and how it would run",
    usage: "cox check PLAN.md [options]",
    about: `Finds dependencies that lead nowhere or in a circle, ids used twice, agents that do not exist,
values out of range, tasks that nobody could verify; each with its line and what to write instead.
Then it shows the tasks by level, how many can work at once, and files that two of them declare.
Where the folder has a .coxswain/config.yaml, that is checked with it: who would do each task, and
who would judge it. Changes nothing. PLAN.md may be - for stdin.

Exit: 0 fine, perhaps with warnings · 1 the plan cannot be run · 2 usage`,
    words: 1,
    options: [root, json],
    examples: [
      ["cox check plan.md", "see problems and levels"],
      ["cox check plan.md --json", "for a script or an editor"],
    ],
  },
  {
    name: "run",
    summary: "Run a plan with its crew: each task verified, committed, reversible",
    usage: "cox run PLAN.md [options]",
    about: `Checks the plan, asks for your approval (once per plan, configuration and commit), then runs its
tasks in parallel, each agent at a desk of its own. Every change is verified by cox itself and
committed on the branch cox/RUN; your checkout is not touched. Kill it anywhere: cox resume goes on.

Exit: 0 done · 1 failed or refused · 2 usage · 3 needs you · 4 paused by a limit · 5 not ready
      6 another process holds the run · 130 interrupted`,
    words: 1,
    options: [root, yes, noInput, json],
    examples: [
      ["cox run plan.md", "look, approve, watch"],
      ["cox run plan.md --yes", "approve it and the commands of its configuration"],
    ],
  },
  {
    name: "resume",
    summary: "Go on with a run that was paused, stopped or interrupted",
    usage: "cox resume [RUN] [options]",
    about: `Reads the log of the newest run, or of RUN (any beginning of its name), and goes on from there
with exactly what was approved. What an agent had under way when the last process died is begun
again.

Exit: as cox run; 0 also when nothing is left to do`,
    words: 1,
    options: [
      { name: "budget", argument: "AMOUNT", text: "Raise a limit: 5 USD, 200k tokens, 10 turns, 2 h" },
      root,
      { name: "yes", short: "y", text: "Approve a run that you did not begin in this folder yourself" },
      noInput,
      json,
    ],
    examples: [
      ["cox resume", "go on with the newest run"],
      ["cox resume --budget '10 USD'", "after it was paused by its budget"],
    ],
  },
  {
    name: "pause",
    summary: "Let agents at work finish their turn; begin nothing new",
    usage: "cox pause [RUN] [options]",
    about: `The process that works on the run hears of it at once and ends when its agents have. Where none
does, it is recorded.

Exit: 0 recorded · 1 refused · 5 not ready · 6 the process that works on the run does not answer`,
    words: 1,
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

Exit: 0 recorded · 1 refused · 2 usage`,
    words: 1000,
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

Exit: 0 recorded · 1 refused · 2 usage`,
    words: 1,
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

Exit: 0 recorded · 1 refused · 2 usage`,
    words: 1000,
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

Exit: 0 recorded · 1 refused · 2 usage`,
    words: 1,
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

Exit: 0 taken back · 1 refused, or what is left does not pass · 2 usage · 3 needs your yes · 6 the
      run is not answering`,
    words: 1,
    options: [
      { name: "cascade", text: "Take those back too that depend on it" },
      { name: "dry-run", text: "Only show what would be taken back" },
      { name: "yes", short: "y", text: "Do not ask" },
      run,
      root,
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
told the rest.

Exit: 0 landed, or nothing to land · 1 refused, nothing changed · 3 needs your yes · 6 a process
      works on the run`,
    words: 1,
    options: [
      { name: "dry-run", text: "Only show what would change" },
      { name: "yes", short: "y", text: "Do not ask" },
      root,
      json,
    ],
    examples: [
      ["cox land --dry-run", "see what would change"],
      ["cox land --yes", "land the newest run"],
    ],
  },
  {
    name: "gc",
    summary: "Free the disk of what runs that are over left",
    usage: "cox gc [options]",
    about: `Removes desks, and the refs that keep their objects, of runs that are over, but for the newest
five of them. A run that is not over keeps everything. Branches and logs are never removed.

Exit: 0 done · 2 usage · 5 not ready`,
    words: 0,
    options: [
      { name: "dry-run", text: "Only show what would be removed" },
      { name: "keep", argument: "N", text: "How many runs that are over keep their desks (default: 5)" },
      root,
      json,
    ],
    examples: [
      ["cox gc --dry-run", "see what would be freed"],
      ["cox gc --keep 0", "keep only what is not over"],
    ],
  },
  {
    name: "schema",
    summary: "Print the JSON Schema of a model's reply",
    usage: "cox schema reply|auditor",
    about: `For agents that can be held to a schema, and for your prompts: reply is what a developer sends,
auditor what an auditor does.`,
    words: 1,
    options: [],
    examples: [
      ["cox schema reply > reply.schema.json", "hand it to your model"],
      ["cox schema auditor", "what an audit looks like"],
    ],
  },
  {
    name: "doctor",
    summary: "Check this machine and folder; say how to fix what is wrong",
    usage: "cox doctor [options]",
    about: `Says nothing when nothing is wrong. Each finding comes with its fix.

Exit: 0 ready (perhaps with advice) · 5 something blocks`,
    words: 0,
    options: [root, { name: "verbose", short: "v", text: "Show the healthy checks too" }, json],
    examples: [["cox doctor --verbose", "see every check"]],
  },
  {
    name: "stats",
    summary: "Files promised and files really on disk; what a run took, by agent and task",
    usage: "cox stats [RUN] [options]",
    about: `Counted over every changeset of the folder, and over the newest run, or the one that is named:
persistence rate, prompts asked again, verifications that failed, turns, time, tokens, money.`,
    words: 1,
    options: [root, json],
    examples: [["cox stats --json", "for a script"]],
  },
  {
    name: "demo",
    summary: "See it work: a plan run by a scripted crew, in a throw-away repository",
    usage: "cox demo [apply]",
    about: `No key, no network, under ten seconds. Six tasks at the same time: a reply that is refused and repaired,
an audit that fails, two changes of one file merged, a question, a commit for each task, a rollback.
The folder is kept for you to look around. cox demo apply shows single replies instead: applied,
refused, killed halfway and recovered, undone.`,
    words: 1,
    options: [],
    examples: [
      ["cox demo", "watch a run"],
      ["cox demo apply", "watch replies being carried out"],
    ],
  },
  {
    name: "status",
    summary: "How a run stands, on one screen: what needs you, who works, what waits",
    usage: "cox status [RUN] [options]",
    about: `Of the newest run, or the one that is named, also by the beginning of its name. Takes no lock and
changes nothing. --watch goes on until nobody is at work on the run; with --json it prints one
document a line, at each change.

Exit: 0 told, however the run stands · 2 there is no such run · 5 its log is damaged`,
    words: 1,
    options: [
      { name: "watch", short: "w", text: "Show it again as it changes, in place on a terminal" },
      { name: "settings", text: "Every setting the run goes by, and who said it" },
      root,
      json,
    ],
    examples: [
      ["cox status", "how the newest run stands"],
      ["cox status --watch", "keep looking"],
      ["cox status --json | jq .counts", "for a script"],
    ],
  },
  {
    name: "log",
    summary: "What happened in a run, one line an event, from the beginning",
    usage: "cox log [RUN] [options]",
    about: `With --json each event is one line, as it was recorded. --verify says whether the log is as it was
written; --repair cuts a damaged one off before the damage, after you have seen what is lost.

Exit: 0 told, or sound · 1 no such task · 2 no such run · 3 --repair needs you · 5 it is damaged
      6 another process holds the run`,
    words: 1,
    options: [
      { name: "follow", short: "f", text: "Go on as more is recorded, while somebody is at work on the run" },
      {
        name: "level",
        argument: "1|2|3",
        oneOf: ["1", "2", "3"],
        text: "1 the essential, 2 the usual (default), 3 every detail (default with --json)",
      },
      { name: "task", argument: "TASK", text: "Only what is about this task" },
      { name: "verify", text: "Check every record against its checksum and the log's second witness" },
      { name: "repair", text: "Cut a damaged log off before the damage; the original is kept" },
      { name: "yes", short: "y", text: "Accept what --repair loses" },
      root,
      json,
    ],
    examples: [
      ["cox log --follow", "watch it happen"],
      ["cox log --task build --level 3", "all about one task"],
      ["cox log --verify", "is it as it was written?"],
    ],
  },
  {
    name: "why",
    summary: "Why a task is where it is, and what would free it",
    usage: "cox why TASK [options]",
    about: "Exit: 0 told · 1 there is no such task · 2 usage, or no such run · 5 the log is damaged",
    words: 1,
    options: [run, root, json],
    examples: [["cox why build", "what it waits for, and what to type"]],
  },
  {
    name: "questions",
    summary: "What waits for you, with the commands that answer",
    usage: "cox questions [RUN] [options]",
    about: "Exit: 0 told, also when nothing waits · 2 there is no such run · 5 its log is damaged",
    words: 1,
    options: [root, json],
    examples: [["cox questions", "see what is asked, and answer"]],
  },
  {
    name: "diff",
    summary: "What a task changed, or the whole run",
    usage: "cox diff [TASK] [options]",
    about: `Of a task that is committed: its commit. Before: what was captured at its desk last. Without a
task: everything on the run's branch. For your eyes, not to be applied: long files are cut.

Exit: 0 told, also when nothing was changed · 1 no such task · 2 no such run · 5 no repository`,
    words: 1,
    options: [{ name: "stat", text: "Only the files, with lines added and removed" }, run, root, json],
    examples: [
      ["cox diff --stat", "the run at a glance"],
      ["cox diff build", "one task, line by line"],
    ],
  },
  {
    name: "approve",
    summary: "Look at what a plan would run, and approve it for later",
    usage: "cox approve PLAN.md [options]",
    about: `Shows tasks, agents, every command and the commit it begins at. A yes holds for exactly these: when
the plan, the configuration or the commit changes, you are asked again. cox run then asks nothing.

Exit: 0 approved · 1 the plan cannot be run, or you said no · 2 usage · 3 needs you · 5 not ready`,
    words: 1,
    options: [root, { name: "yes", short: "y", text: "Approve without being asked" }, noInput, json],
    examples: [["cox approve plan.md", "look, and say yes"]],
  },
  {
    name: "init",
    summary: "Set this repository up: finds the test command, writes .coxswain/config.yaml",
    usage: "cox init [options]",
    about: `Shows what it found and every file it would write, asks once, never touches a file that is there.
Uncommitted work is no obstacle.

Exit: 0 written, or nothing to write · 1 you said no · 2 usage · 3 needs your yes · 5 no repository`,
    words: 0,
    options: [
      {
        name: "plan",
        argument: "NAME",
        oneOf: ["dev-setup", "build", "fix"],
        text: "Also write a first plan.md: dev-setup | build | fix",
      },
      { name: "yes", short: "y", text: "Write without being asked" },
      root,
      json,
    ],
    examples: [
      ["cox init", "look, and say yes"],
      ["cox init --plan build --yes", "with a first plan, without being asked"],
    ],
  },
];

/** What `cox` and `cox --help` print. */
export function helpText(): string {
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`);
  return `cox carries out what a coding model replied: all or nothing, crash-safe, verified, reversible.

Commands
${rows.join("\n")}

Options of every command
${optionRows(globalOptions)}

Try   cox demo                       no key, no network, ten seconds
Then  cox apply reply.md --dry-run   see what a reply would do
Help  cox apply --help
`;
}

/** What `cox NAME --help` prints; nothing for a name that is none. */
export function commandHelp(name: string): string | undefined {
  const command = commands.find((one) => one.name === name);
  if (!command) return undefined;
  const width = Math.max(...command.examples.map(([line]) => line.length));
  const examples = command.examples.map(([line, effect]) => `  ${line.padEnd(width)}   ${effect}`);
  const options = command.options.length > 0 ? `\nOptions\n${optionRows(command.options)}\n` : "";
  return `${command.summary}.

  ${command.usage}

Examples
${examples.join("\n")}

${command.about}
${options}
Options of every command
${optionRows(globalOptions)}
`;
}

function optionRows(options: readonly Option[]): string {
  const names = options.map(spelled);
  const width = Math.max(...names.map((name) => name.length));
  return options.map(({ text }, at) => `  ${names[at]?.padEnd(width)}  ${text}`).join("\n");
}

function spelled({ name, short, argument }: Option): string {
  return `${short ? `-${short}, ` : "    "}--${name}${argument ? ` ${argument}` : ""}`;
}
