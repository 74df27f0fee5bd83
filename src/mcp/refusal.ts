/**
 * A problem as a protocol error: the number is for the protocol, the code and the hint are for the reader.
 *
 * The id is left out if it is unknown, or if the error would be mistaken for the answer to another request.
 */
import type { JSONRPCErrorResponse, RequestId } from "@modelcontextprotocol/server";
import type { Problem } from "../std/problem.ts";

/** JSON-RPC's own codes. */
export const parseError = -32700;
export const invalidRequest = -32600;
export const invalidParams = -32602;
const methodNotFound = -32601;
const internalError = -32603;
/** The protocol's codes, from revision 2026-07-28. */
const headerMismatch = -32020;
const missingCapability = -32021;
const unsupportedVersion = -32022;

export interface RefusedRequest {
  readonly number: number;
  readonly id?: RequestId;
}

export function refusal(problem: Problem, { number, id }: RefusedRequest): JSONRPCErrorResponse {
  return {
    jsonrpc: "2.0",
    ...(id !== undefined && { id }),
    error: { code: number, message: problem.message, data: errorData(problem) },
  };
}

export function errorData({ code, hint, field, path }: Problem): Readonly<Record<string, unknown>> {
  return { code, hint, ...(field !== undefined && { field }), ...(path !== undefined && { path }) };
}

type ProtocolFailure = JSONRPCErrorResponse["error"];

/** Adds our code and hint to an error made by the protocol library. */
export function explained(error: ProtocolFailure): ProtocolFailure {
  const data = typeof error.data === "object" && error.data !== null ? error.data : {};
  if ("code" in data && "hint" in data) return error;
  const [code, hint] = explanations.get(error.code) ?? unexplained;
  return { ...error, data: { ...data, code, hint } };
}

const explanations: ReadonlyMap<number, readonly [code: string, hint: string]> = new Map([
  [parseError, ["JSON_SYNTAX", "Send one JSON-RPC 2.0 message, as JSON."]],
  [invalidRequest, ["MCP_BAD_REQUEST", "Send a JSON-RPC 2.0 message as the protocol describes it."]],
  [
    methodNotFound,
    ["MCP_UNKNOWN_METHOD", "Use what the server declared: tools, resources, prompts, completions."],
  ],
  [invalidParams, ["MCP_BAD_PARAMS", "Send the parameters that the protocol names for this method."]],
  [internalError, ["BUG", "This is a bug in cox; please report it with its stderr output."]],
  [headerMismatch, ["MCP_STATE", "Make the headers match the message."]],
  [missingCapability, ["MCP_STATE", "Declare the capability, or call the tool without it."]],
  [
    unsupportedVersion,
    ["MCP_STATE", "Use one of the versions named in `supported`, or start with initialize."],
  ],
]);

const unexplained = ["MCP_BAD_REQUEST", "Start with initialize, and send the values it returned."] as const;
