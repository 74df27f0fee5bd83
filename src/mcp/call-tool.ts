/**
 * Handles a tool call: validates it, runs it, answers it. A failure of the tool is reported in the answer, never thrown
 * at the client.
 */
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
import { InputRequired, withPerson } from "./ask-person.ts";
import { authorOf } from "./author.ts";
import { problemResult } from "./problem-result.ts";
import { errorData, invalidParams } from "./refusal.ts";
import { whySecretsNotAllowed } from "./secret-arguments.ts";
import type { ServerOptions } from "./server-options.ts";
import type { Answer, AskPerson, Tool, ToolContext } from "./tool.ts";
import { listedTool } from "./tool-listing.ts";

export interface Caller {
  readonly server: Server;
  readonly context: ServerContext;
  /** What belongs to the one client of this server. */
  readonly own: Pick<ToolContext, "store" | "seen" | "session">;
}

export async function callTool(
  ports: ServerOptions,
  { name, given = {} }: { readonly name: string; readonly given: unknown },
  caller: Caller,
): Promise<CallToolResult | InputRequiredResult> {
  const tool = ports.tools.find((one) => one.name === name);
  if (!tool) throw unknownTool(name, ports.tools);
  const read = tool.input.safeParse(given);
  if (!read.success) {
    const { inputSchema: schema } = listedTool(tool);
    return problemResult(argumentProblems(read.error, { tool: name, given, schema, instead: tool.instead }));
  }
  return withPerson(caller.server, caller.context, (person) =>
    carriedOut(ports, { tool, given: read.data, person }, caller),
  );
}

interface Call {
  readonly tool: Tool;
  readonly given: unknown;
  readonly person: AskPerson | undefined;
}

async function carriedOut(
  { base, door, ...ports }: ServerOptions,
  { tool, given, person }: Call,
  { server, context, own }: Caller,
): Promise<CallToolResult> {
  const author = authorOf(server, context, door);
  const { signal } = context.mcpReq;
  let answer: Answer<unknown>;
  try {
    const secrets = writesDocuments(tool) ? await whySecretsNotAllowed(given, person) : [];
    if (secrets.length > 0) return problemResult(secrets);
    answer = await tool.call(given, { ...base, ...own, author, signal, ...(person && { person }) });
  } catch (thrown) {
    // A question to a person is not a failure; pass it on.
    if (thrown instanceof InputRequired) throw thrown;
    const problem = ports.problemOf(thrown);
    ports.log.say(`${tool.name} of ${author.name} failed: ${problem.code}: ${problem.message}`);
    return problemResult([problem]);
  }
  if ("problems" in answer) return problemResult(answer.problems);
  const { data, text, errors = [] } = answer;
  const shown = { type: "text" as const, text };
  const structuredContent = data as Record<string, unknown>;
  if (errors.length === 0) return { content: [shown], structuredContent };
  const failed = problemResult(errors);
  return {
    ...failed,
    content: [...failed.content, shown],
    structuredContent: { ...structuredContent, ...(failed.structuredContent as Record<string, unknown>) },
  };
}

/** The other tools judge what they write themselves, or write nothing. */
function writesDocuments({ group, does }: Tool): boolean {
  return (group === "tasks" || group === "documents") && !does.readOnlyHint;
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
        ? "Call one that tools/list names; the server may have been started with fewer (--tools)."
        : `Call ${near}.`,
  };
  return new ProtocolError(invalidParams, problem.message, errorData(problem));
}
