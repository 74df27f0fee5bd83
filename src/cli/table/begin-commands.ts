/** Commands that begin or resume a run. */
import { type CommandSpec, json, noInput, root, yes } from "./command.ts";

export const beginCommands: readonly CommandSpec[] = [
  {
    name: "init",
    summary: "Set this repository up: finds the test command, writes .coxswain/config.yaml",
    usage: "cox init [options]",
    about: `Shows what it found and every file it would write, asks once, never touches a file that is there.
Then it offers to add the MCP server "coxswain" to .mcp.json, for coding agents that work here:
other servers, formatting and comments stay, and cox undo takes it back. Uncommitted work is no
obstacle.

Exit: 0 written, or nothing to write · 1 you said no · 2 usage · 3 needs your yes · 5 no repository
      6 another cox holds the folder`,
    words: 0,
    options: [
      {
        name: "plan",
        argument: "NAME",
        oneOf: ["dev-setup", "build", "fix"],
        text: "Also write a first plan.md: dev-setup | build | fix",
      },
      { name: "mcp", text: "Add the MCP server to .mcp.json without asking for it" },
      { name: "no-mcp", text: "Leave .mcp.json alone, and do not ask" },
      { name: "yes", short: "y", text: "Write without being asked; .mcp.json only with --mcp" },
      noInput,
      root,
      json,
    ],
    examples: [
      ["cox init", "look, and say yes"],
      ["cox init --mcp --yes", "with the MCP server, without being asked"],
      ["cox init --plan build --yes", "with a first plan, without being asked"],
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
    takes: ["plan"],
    options: [root, json],
    takesSettings: true,
    examples: [
      ["cox check plan.md", "see problems and levels"],
      ["cox check plan.md --verify 'npm test'", "with a setting that is in no file"],
      ["cox check plan.md --json", "for a script or an editor"],
    ],
  },
  {
    name: "approve",
    summary: "Look at what a plan would run, and approve it for later",
    usage: "cox approve PLAN.md [options]",
    about: `Shows tasks, agents, every command and the commit it begins at. A yes holds for exactly these: when
the plan, the configuration or the commit changes, you are asked again. cox run then asks nothing.
Of a document of tasks (in .coxswain/docs or .coxswain/coordinator) it approves the verify commands,
which are run when a task is completed.

Exit: 0 approved · 1 the plan cannot be run, or you said no · 2 usage · 3 needs you · 5 not ready
      6 another cox writes down what you trust`,
    words: 1,
    takes: ["plan"],
    options: [root, { name: "yes", short: "y", text: "Approve without being asked" }, noInput, json],
    takesSettings: true,
    examples: [
      ["cox approve plan.md", "look, and say yes"],
      ["cox approve .coxswain/docs/api/auth.md", "the verify commands of its tasks"],
    ],
  },
  {
    name: "run",
    summary: "Run a plan with its crew: every change verified, committed, reversible",
    usage: "cox run PLAN.md [options]",
    about: `Checks the plan, asks for your approval (once per plan, configuration and commit), then runs its
tasks in parallel, each agent at a desk of its own. Every change is verified by cox itself and
committed on the branch cox/RUN; your checkout is not touched. Kill it anywhere: cox resume goes on.
Where the plan has a run that is not finished, that one is named and nothing begins; where one has
done it already and is not landed, you are asked. --new begins all the same. Settings that are typed
here are part of what you approve, and cox resume keeps them.

Exit: 0 done · 1 failed or refused · 2 usage · 3 needs you · 4 paused by a limit · 5 not ready
      6 another process holds the run · 130 interrupted`,
    words: 1,
    takes: ["plan"],
    options: [
      root,
      yes,
      { name: "new", text: "Begin a new run, though the plan has one that is not finished or not landed" },
      noInput,
      json,
    ],
    takesSettings: true,
    examples: [
      ["cox run plan.md", "look, approve, watch"],
      ["cox run plan.md --yes", "approve it and the commands of its configuration"],
      ["cox run plan.md --active-developers 5", "with a setting for this run only"],
    ],
  },
  {
    name: "resume",
    summary: "Go on with a run that was paused, stopped or interrupted",
    usage: "cox resume [RUN] [options]",
    about: `Reads the log of the newest run, or of RUN (any beginning of its name), and goes on from there
with exactly what was approved: where plan or configuration were changed since, you are told. What
an agent had under way when the last process died is begun again.

Exit: as cox run; 0 also when nothing is left to do`,
    words: 1,
    takes: ["run"],
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
];
