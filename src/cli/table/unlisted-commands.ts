/** Commands that no person types, so the general help leaves them out. */
import type { CommandSpec } from "./command.ts";

export const unlistedCommands: readonly CommandSpec[] = [
  {
    name: "complete",
    summary: "For shell completion: candidates for the last word",
    usage: "cox complete -- WORD…",
    about: `Called by the scripts of cox completion with the words after cox, the last one as far as it is
typed. The first line is words, followed by one candidate per line with its meaning after a tab, or
plans, files or folders, which the shell finds itself. If anything goes wrong, it prints nothing.

Exit: always 0`,
    words: 10_000,
    takes: ["text"],
    options: [],
    examples: [["cox complete -- status --wa", "options that start like this"]],
  },
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
