/**
 * `cox mcp`: serves agents over the Model Context Protocol, on stdin and stdout, or with `--http` on a port of this
 * machine. Whatever it says to people goes to stderr.
 */
import { once } from "node:events";
import { openHttp } from "../mcp/http-server.ts";
import { runsOf } from "../mcp/runs.ts";
import { serveStdio } from "../mcp/serve-stdio.ts";
import { ServerLog } from "../mcp/server-log.ts";
import type { ServerMeans } from "../mcp/server-means.ts";
import { toolGroups } from "../mcp/tool.ts";
import { readGroups, toolsOf, usualGroups } from "../mcp/tools.ts";
import { insideTurn } from "../runtime/agents-decide-nothing.ts";
import { runsRoot } from "../runtime/runs-root.ts";
import { oneLine, quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { failureOf } from "./failure.ts";
import type { McpMeans } from "./mcp-means.ts";
import { findTokens } from "./mcp-tokens.ts";
import { tellProblems } from "./tell-problems.ts";

export async function mcp(door: Door, means: McpMeans): Promise<ExitCode> {
  const { values, files, clock, terminal } = door;
  // An agent of a run is given a server of its turn; this one writes to the user's own files.
  const decides = insideTurn({ turnAround: means.turnAround, typed: ["mcp"] });
  if (decides) return tellProblems(door, "mcp", [decides], exit.refused);
  const wished = values.one("tools");
  const read = wished === undefined ? { groups: usualGroups } : readGroups(wished);
  if ("unknown" in read) return tellProblems(door, "mcp", [unknownGroup(read.unknown)], exit.usage);
  const root = runsRoot(files, values.one("root"));
  const base = await means.open(root);
  try {
    const isHttp = values.has("http");
    return await (isHttp ? overHttp : overStdio)(door, means, {
      tools: toolsOf(read.groups),
      base,
      runs: runsOf({ files, clock }, root),
      door: isHttp ? "mcp-http" : "mcp-stdio",
      version: means.version,
      log: new ServerLog(terminal.notice, means.elapsedMs),
      problemOf: (thrown) => failureOf(thrown).problem,
    });
  } finally {
    await base.store.close();
  }
}

async function overStdio(door: Door, { stdout }: McpMeans, means: ServerMeans): Promise<ExitCode> {
  const { stdin: input, signal, terminal } = door;
  const misplaced = ["port", "token-file"].find((name) => door.values.has(name));
  if (misplaced) return tellProblems(door, "mcp", [onlyWithHttp(misplaced)], exit.usage);
  if (input.isTTY)
    terminal.notice(
      "cox mcp waits for a client on stdin, which a client starts by itself. Ctrl-C ends it.\n",
    );
  await serveStdio(means, { input, output: stdout, signal });
  return exit.done;
}

async function overHttp(door: Door, { token, servers }: McpMeans, means: ServerMeans): Promise<ExitCode> {
  const { values, terminal, signal } = door;
  const port = portOf(values.one("port"));
  if (typeof port !== "number") return tellProblems(door, "mcp", [port], exit.usage);
  const found = await findTokens(door, token);
  if ("problem" in found) return tellProblems(door, "mcp", [found.problem], exit.usage);
  const opened = await openHttp(means, { servers, port, tokens: found.tokens });
  if ("problem" in opened) return tellProblems(door, "mcp", [opened.problem], exit.notReady);
  const { server } = opened;
  terminal.notice(`MCP server of ${oneLine(means.base.root)} at ${server.url}\n`);
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
  return { code: "USAGE", message, hint: "Leave it out for a port that is free." };
}

function unknownGroup(word: string): Problem {
  return {
    code: "USAGE",
    message: `there is no group of tools ${quote(word, 40)}`,
    hint: `Name some of ${toolGroups.join(", ")}: --tools ${usualGroups.join(",")}`,
  };
}

function onlyWithHttp(name: string): Problem {
  return { code: "USAGE", message: `--${name} is for --http`, hint: "Add --http, or leave it out." };
}
