/** Commands that begin or resume a run. */
import { type CommandSpec, json, noInput, root, yes } from "./command.ts";

export const beginCommands: readonly CommandSpec[] = [
  {
    name: "init",
    summary: "Set this repository up: finds the test command, writes .coxswain/config.yaml",
    usage: "cox init [options]",
    about: `Shows what it found and every file it would write, asks once, and never touches an existing file.
Then it offers to add the MCP server "coxswain" to .mcp.json, for coding agents that work here:
other servers, formatting and comments stay, and cox undo removes it again. You may have uncommitted
work.

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
    about: `Finds missing or circular dependencies, duplicate ids, unknown agents, values out of range, and
tasks that nothing would judge; each with its line and what to write instead. Then it shows the
tasks by level, how many can run at once, and files that two of them declare. If the folder has a
.coxswain/config.yaml, it is checked too: who would do each task, and who would judge it. Changes
nothing. PLAN.md may be - for stdin.

Exit: 0 fine, perhaps with warnings · 1 the plan cannot be run · 2 usage`,
    words: 1,
    takes: ["plan"],
    options: [root, json],
    takesSettings: true,
    examples: [
      ["cox check plan.md", "see problems and levels"],
      ["cox check plan.md --verify 'npm test'", "with a setting for this once"],
      ["cox check plan.md --json", "for a script or an editor"],
    ],
  },
  {
    name: "approve",
    summary: "Look at what a plan would run, and approve it for later",
    usage: "cox approve PLAN.md [options]",
    about: `Shows tasks, agents, every command and the base commit. Your yes covers exactly these: if the plan,
the configuration or the commit changes, you are asked again. After it, cox run does not ask.
For a document of tasks (in .coxswain/docs or .coxswain/coordinator) it approves the verify commands
that run when a task is completed.

Exit: 0 approved · 1 the plan cannot be run, or you said no · 2 usage · 3 needs you · 5 not ready
      6 another cox is recording an approval`,
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
committed on the branch cox/RUN; your checkout is not touched. Kill it any time: cox resume
continues. If the plan has an unfinished run, cox names it and starts nothing; if a finished run of
it has not landed, cox asks. --new starts one anyway. Settings given here are part of what you
approve, and cox resume keeps them.

Exit: 0 done · 1 failed or refused · 2 usage · 3 needs you · 4 paused by a limit · 5 not ready
      6 another process holds the run · 130 interrupted`,
    words: 1,
    takes: ["plan"],
    options: [
      root,
      yes,
      { name: "new", text: "Start a new run even if the plan has one that is unfinished or not landed" },
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
    summary: "Resume a run that was paused, stopped or interrupted",
    usage: "cox resume [RUN] [options]",
    about: `Reads the log of the newest run, or of RUN (any unique start of its name), and continues with
exactly what was approved; if the plan or the configuration changed since, it says so. Turns that
were running when the last process died start again.

Exit: as cox run; 0 also when nothing is left to do`,
    words: 1,
    takes: ["run"],
    options: [
      { name: "budget", argument: "AMOUNT", text: "Raise a limit: 5 USD, 200k tokens, 10 turns, 2 h" },
      root,
      { name: "yes", short: "y", text: "Approve a run that you did not start in this folder yourself" },
      noInput,
      json,
    ],
    examples: [
      ["cox resume", "continue the newest run"],
      ["cox resume --budget '10 USD'", "after it was paused by its budget"],
    ],
  },
];
