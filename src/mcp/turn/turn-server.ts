/**
 * The MCP server of one turn, on the stdin and stdout of whoever started it: offers the turn's tools and nothing else.
 */
import {
  type CallToolResult,
  ProtocolError,
  Server,
  type Tool as WireTool,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { problemResult } from "../problem-result.ts";
import { errorData, invalidParams } from "../refusal.ts";
import type { ServerOptions } from "../server-options.ts";
import type { Ends } from "../stdio/serve-stdio.ts";
import { StdioTransport } from "../stdio/stdio-transport.ts";
import { untilClosed } from "../stdio/until-closed.ts";
import type { TurnTool } from "./turn-tools.ts";

export interface TurnServerOptions extends Pick<ServerOptions, "version" | "log" | "problemOf"> {
  readonly tools: readonly TurnTool[];
}

export async function serveTurn(ports: TurnServerOptions, { input, output, signal }: Ends): Promise<void> {
  const transport = new StdioTransport(input, output);
  const connection = serveStdio(() => makeTurnServer(ports), {
    transport,
    onerror: ({ message }) => ports.log.say(message),
  });
  await untilClosed({ transport, connection, signal });
}

function makeTurnServer(ports: TurnServerOptions): Server {
  const { tools, version, log } = ports;
  const server = new Server(
    { name: "coxswain-turn", title: "Coxswain, this turn", version },
    { capabilities: { tools: {} }, instructions },
  );
  server.onerror = ({ message }) => log.say(message);
  server.setRequestHandler("tools/list", () => ({ tools: tools.map(listed) }));
  server.setRequestHandler("tools/call", ({ params }) => called(ports, params));
  return server;
}

const instructions =
  "Use these tools to hand in the work of this turn. They report problems at once: fix them and call again. End with submit_reply.";

function listed({ name, title, description, input }: TurnTool): WireTool {
  // Nothing is changed before the turn is over, so a client that asks a person about other calls need not ask here.
  const annotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
  return { name, title, description, inputSchema: input, annotations } as WireTool;
}

interface Call {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

function called(
  { tools, problemOf, log }: TurnServerOptions,
  { name, arguments: given = {} }: Call,
): CallToolResult {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw unknownTool(name, tools);
  try {
    const answer = tool.call(given);
    if ("problems" in answer) return problemResult(answer.problems);
    return { content: [{ type: "text", text: answer.text }] };
  } catch (thrown) {
    const problem = problemOf(thrown);
    log.say(`${name} failed: ${problem.code}: ${problem.message}`);
    return problemResult([problem]);
  }
}

function unknownTool(name: string, tools: readonly TurnTool[]): ProtocolError {
  const problem: Problem = {
    code: "MCP_UNKNOWN_TOOL",
    message: `there is no tool ${quote(name, 60)} in this turn`,
    hint: `Call ${tools.map((tool) => tool.name).join(" or ")}.`,
  };
  return new ProtocolError(invalidParams, problem.message, errorData(problem));
}
