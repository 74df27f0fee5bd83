/** Commands that no person types, and so are not told of in the general help. */
import type { Command } from "./command.ts";

export const unlistedCommands: readonly Command[] = [
  {
    name: "turn-server",
    summary: "For an agent's program: the MCP server of one turn",
    usage: "cox turn-server",
    about: `Started by the agent's own program inside a turn of a run, on stdin and stdout. Its tools hand in
operations and the reply of that turn, and say at once what is wrong with them. Outside of a turn
it refuses.

Exit: 0 the program has left · 1 refused`,
    words: 0,
    options: [],
    examples: [["cox turn-server", "inside a turn, by the program that works there"]],
  },
];
