/**
 * Turns text from outside into one protocol message, or says why it is not one. It is judged before the protocol
 * library sees it: the library would pass on values of any depth, and answer non-object arguments without saying what
 * is wrong.
 */
import type { JSONRPCErrorResponse, JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";
import { describe } from "../../reply/check/issue.ts";
import { parseJson } from "../../reply/find/json.ts";
import { jsonLimits } from "../../reply/find/scan.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { invalidParams, invalidRequest, parseError, refusal } from "../refusal.ts";

export type ReadMessage =
  | { readonly message: JSONRPCMessage }
  | { readonly refusal: JSONRPCErrorResponse; readonly problem: Problem };

export type ReadJson = { readonly value: unknown } | { readonly problem: Problem; readonly number: number };

/** Strict: duplicate keys, excessive depth and out-of-range numbers are refused. */
export function readJson(text: string): ReadJson {
  const parsed = parseJson(text);
  if ("value" in parsed) return parsed;
  const [first] = parsed.problems;
  const problem = first ?? badRequest("it is not JSON");
  const isDeep = problem.code === "JSON_TOO_DEEP";
  const hint = isDeep
    ? `Send at most ${jsonLimits.depth} levels; no tool needs more than ten.`
    : problem.hint;
  return {
    problem: { ...problem, hint },
    number: problem.code.startsWith("JSON_SYNTAX") ? parseError : invalidRequest,
  };
}

export function readMessage(text: string): ReadMessage {
  const read = readJson(text);
  if ("value" in read) return judgeMessage(read.value);
  return { refusal: refusal(read.problem, { number: read.number }), problem: read.problem };
}

export function judgeMessage(value: unknown): ReadMessage {
  if (!isJsonObject(value))
    return refused(badRequest(`it is ${describe(value)}, not an object`), { number: invalidRequest });
  if (value.jsonrpc !== "2.0")
    return refused(badRequest(`its jsonrpc is ${describe(value.jsonrpc)}, not "2.0"`), {
      number: invalidRequest,
    });
  const hasId = Object.hasOwn(value, "id");
  const { id, method } = value;
  if (hasId && !isId(id)) return refused(badId(id), { number: invalidRequest });
  const known = isId(id) ? { id } : {};
  if (typeof method !== "string") {
    const isAnswer = hasId && (isJsonObject(value.result) || isJsonObject(value.error));
    if (isAnswer) return { message: value as unknown as JSONRPCMessage };
    return refused(badRequest("it has neither a method nor a result"), { number: invalidRequest, ...known });
  }
  const wrong = wrongParams(method, value.params);
  if (wrong) return refused(wrong, { number: invalidParams, ...known });
  return { message: value as unknown as JSONRPCMessage };
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function badId(id: unknown): Problem {
  return {
    code: "MCP_BAD_ID",
    message: `the message was refused: its id is ${describe(id)}, not a text or a whole number`,
    hint: "Give each request an id of its own: 1, 2, 3, …",
  };
}

export function idInUse(id: RequestId): Problem {
  return {
    code: "MCP_BAD_ID",
    message: `the message was refused: the id ${describe(id)} belongs to a request that is not answered yet`,
    hint: "Give each request an id of its own: 1, 2, 3, …",
  };
}

function refused(problem: Problem, how: { number: number; id?: RequestId }): ReadMessage {
  return { refusal: refusal(problem, how), problem };
}

function isId(id: unknown): id is RequestId {
  return typeof id === "number" ? Number.isSafeInteger(id) : typeof id === "string" && id.length <= idMax;
}

/** Nobody needs longer ids, and an id is kept as long as its request is in progress. */
const idMax = 1_000;

function badRequest(why: string): Problem {
  return {
    code: "MCP_BAD_REQUEST",
    message: `the message was refused: ${oneLine(why)}`,
    hint: 'Send one JSON-RPC 2.0 message: {"jsonrpc":"2.0","id":1,"method":…}',
  };
}

function wrongParams(method: string, params: unknown): Problem | undefined {
  if (params !== undefined && !isJsonObject(params)) return wrongType("params", params, method);
  if (method !== "tools/call") return undefined;
  const { name, arguments: given } = params ?? {};
  if (typeof name !== "string") return wrongType("name", name, method);
  // Absent means none; null means that somebody meant to send some.
  if (params && Object.hasOwn(params, "arguments") && !isJsonObject(given))
    return wrongType("arguments", given, `${method} of ${quote(name, 60)}`);
  return undefined;
}

function wrongType(field: string, value: unknown, of: string): Problem {
  const needed = field === "name" ? "the name of a tool" : "an object ({…})";
  return {
    code: value === undefined ? "SCHEMA_REQUIRED" : "SCHEMA_TYPE",
    message:
      value === undefined
        ? `${field} of ${oneLine(of, 100)} is missing`
        : `${field} of ${oneLine(of, 100)} is ${describe(value)}, not ${needed}`,
    hint: `Write ${needed}.`,
    field,
  };
}
