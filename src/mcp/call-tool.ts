/** A call of a tool: judged, carried out, answered. Whatever goes wrong is told in the answer, never thrown at the client. */
import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { closestName } from "../std/closest-name.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { argumentProblems } from "./argument-problems.ts";
import { Asked, withPerson } from "./ask-person.ts";
import { authorOf } from "./author.ts";
import { problemResult } from "./problem-result.ts";
import { errorData, invalidParams } from "./refusal.ts";
import type { ServerMeans } from "./server-means.ts";
import type { Answer, AskPerson, Tool, ToolContext } from "./tool.ts";
import { listedTool } from "./tool-listing.ts";

export interface Caller {
  readonly server: Server;
  readonly context: ServerContext;
  /** What belongs to the one client of this server. */
  readonly own: Pick<ToolContext, "store" | "seen" | "session">;
}

export async function callTool(
  means: ServerMeans,
  { name, given = {} }: { readonly name: string; readonly given: unknown },
  caller: Caller,
): Promise<CallToolResult | InputRequiredResult> {
  const tool = means.tools.find((one) => one.name === name);
  if (!tool) throw unknownTool(name, means.tools);
  const read = tool.input.safeParse(given);
  if (!read.success) {
    const { inputSchema: schema } = listedTool(tool);
    return problemResult(argumentProblems(read.error, { tool: name, given, schema, instead: tool.instead }));
  }
  return withPerson(caller.server, caller.context, (person) =>
    carriedOut(means, { tool, given: read.data, person }, caller),
  );
}

interface Call {
  readonly tool: Tool;
  readonly given: unknown;
  readonly person: AskPerson | undefined;
}

async function carriedOut(
  { base, door, ...means }: ServerMeans,
  { tool, given, person }: Call,
  { server, context, own }: Caller,
): Promise<CallToolResult> {
  const author = authorOf(server, context, door);
  const { signal } = context.mcpReq;
  let answer: Answer<unknown>;
  try {
    answer = await tool.call(given, { ...base, ...own, author, signal, ...(person && { person }) });
  } catch (thrown) {
    // A question to a person is no failure, and goes on upwards.
    if (thrown instanceof Asked) throw thrown;
    const problem = means.problemOf(thrown);
    means.log.say(`${tool.name} of ${author.name} failed: ${problem.code}: ${problem.message}`);
    return problemResult([problem]);
  }
  if ("problems" in answer) return problemResult(answer.problems);
  return {
    content: [{ type: "text", text: answer.text }],
    structuredContent: answer.data as Record<string, unknown>,
  };
}

function unknownTool(name: string, tools: readonly Tool[]): ProtocolError {
  const near = closestName(
    name,
    tools.map((tool) => tool.name),
  );
  const problem: Problem = {
    code: "MCP_UNKNOWN_TOOL",
    message: `there is no tool ${quote(name, 60)}${near === undefined ? "" : `; the nearest is ${near}`}`,
    hint:
      near === undefined
        ? "Call one of those that tools/list names; the server may have been started with fewer (--tools)."
        : `Call ${near}.`,
  };
  return new ProtocolError(invalidParams, problem.message, errorData(problem));
}
