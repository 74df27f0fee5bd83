/** Commands about workflows, and about the session of an agent that follows one. */
import { type Command, json, root } from "./command.ts";

export const workflowCommands: readonly Command[] = [
  {
    name: "workflows",
    summary: "Pages on how work is done: which there are, or one of them",
    usage: "cox workflows [NAME] [options]",
    about: `A task names one: "Workflow: NAME" for itself, "Main-Workflow: NAME" for the whole list of a
coordinator. Your own are pages .coxswain/workflows/NAME.md and .coxswain/main-workflows/NAME.md;
they come before shipped ones of the same name.

Exit: 0 told · 1 there is no such workflow · 2 usage`,
    words: 1,
    options: [root, json],
    examples: [
      ["cox workflows", "what there is, and when to use it"],
      ["cox workflows bug-hunt", "read one"],
    ],
  },
  {
    name: "hook",
    summary: "For the Claude Code plugin: keeps a session's place through compactions",
    usage: "cox hook session-start|pre-compact|stop",
    about: `Reads what Claude Code gives a hook on stdin, and prints what it expects. session-start gives the
current task and its Main-Workflow back after a compaction or in a resumed session; pre-compact
counts; stop reminds once of a task in progress and of open questions. Where there is nothing to
say, and whatever goes wrong, it prints nothing. Exit: always 0`,
    words: 1,
    options: [],
    examples: [["cox hook stop < event.json", "see what the plugin would say"]],
  },
];
