/** Commands about tasks and documents that outlive an agent's context. */
import { type Command, root } from "./command.ts";

export const documentCommands: readonly Command[] = [
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
