/**
 * `cox mcp`: serves agents over the Model Context Protocol, on stdin and stdout, or with `--http` on a port of this
 * machine. Messages to people go to stderr.
 */
import { once } from "node:events";
import { openHttp } from "../../mcp/http/http-server.ts";
import { runsOf } from "../../mcp/resources/runs.ts";
import { ServerLog } from "../../mcp/server-log.ts";
import type { ServerOptions } from "../../mcp/server-options.ts";
import { serveStdio } from "../../mcp/stdio/serve-stdio.ts";
import { toolGroups } from "../../mcp/tool.ts";
import { readGroups, toolsOf, usualGroups } from "../../mcp/tools.ts";
import { runsRoot } from "../../runtime/folder/runs-root.ts";
import { insideTurn } from "../../runtime/start/inside-turn.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { failureOf } from "../failure.ts";
import { tellProblems } from "../tell-problems.ts";
import type { McpPorts } from "./mcp-ports.ts";
import { findTokens } from "./mcp-tokens.ts";

export async function mcp(door: CommandContext, ports: McpPorts): Promise<ExitCode> {
  const { values, files, clock, terminal } = door;
  // Refused inside a turn: an agent of a run has its own turn server, and this one writes to the user's files.
  const decides = insideTurn({ enclosingTurn: ports.enclosingTurn, typed: ["mcp"] });
  if (decides) return tellProblems(door, "mcp", [decides], exit.refused);
  const wished = values.one("tools");
  const read = wished === undefined ? { groups: usualGroups } : readGroups(wished);
  if ("unknown" in read) return tellProblems(door, "mcp", [unknownGroup(read.unknown)], exit.usage);
  const root = runsRoot(files, values.one("root"));
  const base = await ports.open(root);
  try {
    const isHttp = values.has("http");
    return await (isHttp ? overHttp : overStdio)(door, ports, {
      tools: toolsOf(read.groups),
      base,
      runs: runsOf({ files, clock }, root),
      door: isHttp ? "mcp-http" : "mcp-stdio",
      version: ports.version,
      log: new ServerLog(terminal.notice, ports.elapsedMs),
      problemOf: (thrown) => failureOf(thrown).problem,
    });
  } finally {
    await base.store.close();
  }
}

async function overStdio(
  door: CommandContext,
  { stdout }: McpPorts,
  ports: ServerOptions,
): Promise<ExitCode> {
  const { stdin: input, signal, terminal } = door;
  const misplaced = ["port", "token-file"].find((name) => door.values.has(name));
  if (misplaced) return tellProblems(door, "mcp", [onlyWithHttp(misplaced)], exit.usage);
  if (input.isTTY)
    terminal.notice(
      "cox mcp is waiting for a client on stdin; clients start it themselves. Ctrl-C ends it.\n",
    );
  await serveStdio(ports, { input, output: stdout, signal });
  return exit.done;
}

async function overHttp(
  door: CommandContext,
  { token, servers }: McpPorts,
  ports: ServerOptions,
): Promise<ExitCode> {
  const { values, terminal, signal } = door;
  const port = portOf(values.one("port"));
  if (typeof port !== "number") return tellProblems(door, "mcp", [port], exit.usage);
  const found = await findTokens(door, token);
  if ("problem" in found) return tellProblems(door, "mcp", [found.problem], exit.usage);
  const opened = await openHttp(ports, { servers, port, tokens: found.tokens });
  if ("problem" in opened) return tellProblems(door, "mcp", [opened.problem], exit.notReady);
  const { server } = opened;
  terminal.notice(`MCP server of ${oneLine(ports.base.root)} at ${server.url}\n`);
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

function unknownGroup(word: string): Problem {
  return {
    code: "USAGE",
    message: `there is no tool group ${quote(word, 40)}`,
    hint: `Name some of ${toolGroups.join(", ")}: --tools ${usualGroups.join(",")}`,
  };
}

function onlyWithHttp(name: string): Problem {
  return { code: "USAGE", message: `--${name} is for --http`, hint: "Add --http, or leave it out." };
}
