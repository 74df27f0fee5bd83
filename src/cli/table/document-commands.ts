/** Commands about tasks, documents and workflows that outlive an agent's context. */
import { type CommandSpec, json, noInput, root } from "./command.ts";

export const documentCommands: readonly CommandSpec[] = [
  {
    name: "task",
    summary: "Tasks that outlive a session: the coordinator's list, or those of a document",
    usage: "cox task list|add TITLE|start|done|note TEXT [options]",
    about: `Without --document it is the coordinator's list: one after the other, archived when all are done.
With --document /api/auth.md#slug it is that task of .coxswain/docs/api/auth.md. A task with
Verify: is completed only when its commands pass; approve them first with cox approve FILE. Without
Verify:, completion is shown as a claim. A task that somebody has in progress is not given twice.

Exit: 0 done · 1 refused · 2 usage · 3 needs you (a command to approve, what looks like a secret)
      6 the documents are locked`,
    words: 2,
    takes: [["list", "add", "start", "done", "note"], "text"],
    options: [
      { name: "document", argument: "PATH", text: "A document, or a task of it: /api/auth.md#slug" },
      { name: "task", argument: "SLUG", text: "The task that is meant, by its slug" },
      { name: "content", argument: "TEXT", text: "With add: fields and text below its title; - is stdin" },
      { name: "workflow", argument: "NAME", text: "With add: how the task is done" },
      {
        name: "main-workflow",
        argument: "NAME",
        text: "With add: how the list is coordinated; its first task needs one",
      },
      { name: "note", argument: "TEXT", text: "With done: what was done, decided and found; - is stdin" },
      { name: "take-over", text: "With start: take a task that somebody else has in progress" },
      { name: "yes", short: "y", text: "Write down also what looks like a secret" },
      root,
      noInput,
      json,
    ],
    examples: [
      ["cox task list", "the coordinator's list: who does what"],
      ["cox task add 'Find the leak' --main-workflow bug-hunt", "the first task of a list"],
      ["cox task start", "the current task, else the next one"],
      ["cox task done --note 'It was the cache.'", "completed; on to the next"],
      ["cox task start --document /api/auth.md#sign-tokens", "a task of a document"],
      ["cox task note 'RS256' --document /api/auth.md#sign-tokens", "a note on the way"],
    ],
  },
  {
    name: "mcp",
    summary: "Serve agents over the Model Context Protocol: tasks, documents, workflows",
    usage: "cox mcp [--http] [options]",
    about: `A client starts it by itself and speaks with it over stdin and stdout. With --http it listens on a
port of this machine, for whoever sends the token: one that is printed on stderr, or those of a file
(one a line) or of COX_MCP_TOKEN.

Exit: 0 the client went, or it was stopped · 2 usage · 5 the port is taken`,
    words: 0,
    options: [
      {
        name: "tools",
        argument: "GROUPS",
        text: "Which tools to offer: tasks,documents,files,run (default: the first three)",
      },
      { name: "http", text: "Listen on 127.0.0.1 instead of stdin" },
      { name: "port", argument: "N", text: "With --http: the port (default: one that is free)" },
      { name: "token-file", argument: "FILE", text: "With --http: the tokens that open it, one a line" },
      root,
    ],
    examples: [
      ["claude mcp add coxswain -- npx -y coxswain mcp", "in Claude Code, once"],
      ["cox mcp --tools tasks,run", "fewer tools, or others"],
      ["cox mcp --http --port 4020", "for a client that speaks HTTP"],
    ],
  },
  {
    name: "workflows",
    summary: "Pages on how work is done: which there are, or one of them",
    usage: "cox workflows [NAME] [options]",
    about: `A task names one: "Workflow: NAME" for itself, "Main-Workflow: NAME" for the whole list of a
coordinator. Your own are pages .coxswain/workflows/NAME.md and .coxswain/main-workflows/NAME.md;
they come before shipped ones of the same name.

Exit: 0 told · 1 there is no such workflow · 2 usage`,
    words: 1,
    takes: ["workflow"],
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
    takes: [["session-start", "pre-compact", "stop"]],
    options: [],
    examples: [["cox hook stop < event.json", "see what the plugin would say"]],
  },
];
