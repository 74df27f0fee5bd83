/**
 * `cox mcp`: serves agents over the Model Context Protocol, on stdin and stdout, or with `--http` on a port of this
 * machine. Messages to people go to stderr.
 */
import { once } from "node:events";
import { runsRoot } from "../../runtime/folder/runs-root.ts";
import { insideTurn } from "../../runtime/start/inside-turn.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import type { McpPorts, OpenMcp } from "./mcp-ports.ts";
import { findTokens } from "./mcp-tokens.ts";

export async function mcp(door: CommandContext, ports: McpPorts): Promise<ExitCode> {
  const { values, files, terminal } = door;
  // Refused inside a turn: an agent of a run has its own turn server, and this one writes to the user's files.
  const decides = insideTurn({ enclosingTurn: ports.enclosingTurn, typed: ["mcp"] });
  if (decides) return tellProblems(door, "mcp", [decides], exit.refused);
  const chosen = ports.choose(values.one("tools"));
  if ("problem" in chosen) return tellProblems(door, "mcp", [chosen.problem], exit.usage);
  const root = runsRoot(files, values.one("root"));
  const isHttp = values.has("http");
  const opened = await chosen.server.open({ root, isHttp, notice: terminal.notice });
  try {
    return isHttp ? await overHttp(door, { ports, opened, root }) : await overStdio(door, opened);
  } finally {
    await opened.close();
  }
}

async function overStdio(door: CommandContext, opened: OpenMcp): Promise<ExitCode> {
  const { stdin: input, signal, terminal } = door;
  const misplaced = ["port", "token-file"].find((name) => door.values.has(name));
  if (misplaced) return tellProblems(door, "mcp", [onlyWithHttp(misplaced)], exit.usage);
  if (input.isTTY)
    terminal.notice(
      "cox mcp is waiting for a client on stdin; clients start it themselves. Ctrl-C ends it.\n",
    );
  await opened.serveStdio({ input, signal });
  return exit.done;
}

interface HttpService {
  readonly ports: McpPorts;
  readonly opened: OpenMcp;
  readonly root: string;
}

async function overHttp(door: CommandContext, { ports, opened, root }: HttpService): Promise<ExitCode> {
  const { values, terminal, signal } = door;
  const port = portOf(values.one("port"));
  if (typeof port !== "number") return tellProblems(door, "mcp", [port], exit.usage);
  const found = await findTokens(door, ports);
  if ("problem" in found) return tellProblems(door, "mcp", [found.problem], exit.usage);
  const listening = await opened.listen({ port, tokens: found.tokens });
  if ("problem" in listening) return tellProblems(door, "mcp", [listening.problem], exit.notReady);
  const { server } = listening;
  terminal.notice(`MCP server of ${oneLine(root)} at ${server.url}\n`);
  if (found.made) terminal.notice(`Clients send: Authorization: Bearer ${found.made}\n`);
  try {
    if (!signal.aborted) await once(signal, "abort");
  } finally {
    await server.close();
  }
  return exit.done;
}

function portOf(text: string | undefined): number | Problem {
  if (text === undefined) return 0;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port >= 0 && port <= 65_535) return port;
  const message = `--port is a number up to 65535, not ${quote(text, 40)}`;
  return { code: "USAGE", message, hint: "Leave it out to use any free port." };
}

function onlyWithHttp(name: string): Problem {
  return { code: "USAGE", message: `--${name} is for --http`, hint: "Add --http, or leave it out." };
}
