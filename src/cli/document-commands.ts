/** Commands about tasks and documents that outlive an agent's context. */
import { type Command, json, root } from "./command.ts";

export const documentCommands: readonly Command[] = [
  {
    name: "task",
    summary: "Tasks that outlive a session: the coordinator's list, or those of a document",
    usage: "cox task list|add TITLE|start|done|note TEXT [options]",
    about: `Without --document it is the coordinator's list: one after the other, archived when all are done.
With --document /api/auth.md#slug it is that task of .coxswain/docs/api/auth.md. A task with Verify:
is verified before it is completed, by commands that you approved (cox approve FILE); without, its
completion is shown as a claim. A task that somebody else has in progress is not given out twice.

Exit: 0 done · 1 refused · 2 usage · 3 needs you (a command to approve) · 6 the documents are locked`,
    words: 2,
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
      root,
      json,
    ],
    examples: [
      ["cox task list", "the coordinator's list: marks, slugs, who and since when"],
      ["cox task add 'Find the leak' --main-workflow bug-hunt", "the first task of a list"],
      ["cox task start", "the current task, else the next one, with its workflow"],
      ["cox task done --note 'It was the cache.'", "completed; the next one is started"],
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
];
