/** Commands about tasks, documents and workflows that outlive an agent's context. */
import { type CommandSpec, json, noInput, root } from "./command.ts";

export const documentCommands: readonly CommandSpec[] = [
  {
    name: "task",
    summary: "Tasks that outlive a session: the coordinator's list, or those of a document",
    usage: "cox task list|add TITLE|start|done|note TEXT [options]",
    about: `Without --document: the coordinator's list, worked in order and archived when all are done.
With --document /api/auth.md#slug: that task of .coxswain/docs/api/auth.md. A task with
Verify: is completed only when its commands pass; approve them first with cox approve FILE. Without
Verify:, completion is shown as a claim. A task that somebody has in progress is not given twice.

Exit: 0 done · 1 refused · 2 usage · 3 needs you (a command to approve, what looks like a secret)
      6 the documents are locked`,
    words: 2,
    takes: [["list", "add", "start", "done", "note"], "text"],
    options: [
      { name: "document", argument: "PATH", text: "A document, or a task of it: /api/auth.md#slug" },
      { name: "task", argument: "SLUG", text: "The task, by its slug" },
      { name: "content", argument: "TEXT", text: "With add: fields and text below its title; - is stdin" },
      { name: "workflow", argument: "NAME", text: "With add: its workflow" },
      {
        name: "main-workflow",
        argument: "NAME",
        text: "With add: the main workflow of the list; its first task needs one",
      },
      { name: "note", argument: "TEXT", text: "With done: what was done, decided and found; - is stdin" },
      { name: "take-over", text: "With start: take a task that somebody else has in progress" },
      { name: "yes", short: "y", text: "Write it even if it looks like a secret" },
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
    about: `Clients start it themselves and talk to it over stdin and stdout. With --http it listens on a local
port and serves clients that send a token: the one it prints on stderr, or those of a file (one per
line) or of COX_MCP_TOKEN.

Exit: 0 the client left, or it was stopped · 2 usage · 5 the port is taken`,
    words: 0,
    options: [
      {
        name: "tools",
        argument: "GROUPS",
        text: "Which tools to offer: tasks,documents,files,run (default: the first three)",
      },
      { name: "http", text: "Listen on 127.0.0.1 instead of stdin" },
      { name: "port", argument: "N", text: "With --http: the port (default: any free one)" },
      { name: "token-file", argument: "FILE", text: "With --http: the tokens it accepts, one per line" },
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
    summary: "Pages on how work is done: list them, or read one",
    usage: "cox workflows [NAME] [options]",
    about: `A task names one: "Workflow: NAME" for itself, "Main-Workflow: NAME" for the coordinator's whole
list. Your own pages are .coxswain/workflows/NAME.md and .coxswain/main-workflows/NAME.md; they
replace shipped ones of the same name.

Exit: 0 shown · 1 there is no such workflow · 2 usage`,
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
    about: `Reads a Claude Code hook event on stdin and prints the answer. session-start repeats the current
task and its Main-Workflow after a compaction or in a resumed session; pre-compact counts
compactions; stop reminds once of a task in progress and of open questions. If there is nothing to
say, or anything goes wrong, it prints nothing. Exit: always 0`,
    words: 1,
    takes: [["session-start", "pre-compact", "stop"]],
    options: [],
    examples: [["cox hook stop < event.json", "see what the plugin would say"]],
  },
];
