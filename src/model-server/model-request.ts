/**
 * A client's request to a model, the same for every wire format. Scripts are matched against it, tests look at it, and
 * the log records it. It has no headers, so no key is ever written down.
 */
import type { Json } from "../std/canonical-json.ts";

export interface ModelRequest {
  readonly format: FormatName;
  readonly model: string;
  readonly stream: boolean;
  /** All instructions, from outside the conversation and from within it, one after the other. */
  readonly system: string;
  readonly tools: readonly OfferedTool[];
  readonly turns: readonly ModelMessage[];
  /** The JSON Schema that the answer must fit, if the client wants one. */
  readonly schema?: Json;
}

export const formatNames = ["anthropic", "openai-responses", "openai-chat", "gemini"] as const;
export type FormatName = (typeof formatNames)[number];

export interface OfferedTool {
  readonly name: string;
  /** Some clients group the tools of a server; a call must then name the group. */
  readonly namespace?: string;
  /** Takes plain text instead of an object. */
  readonly isCustom?: true;
}

export type ModelMessage =
  | { readonly role: "user"; readonly text: string; readonly results: readonly ToolResult[] }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly CallSeen[] };

export interface ToolResult {
  readonly id: string;
  readonly text: string;
  /** As far as the format says. */
  readonly isError?: true;
}

export interface CallSeen {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
}
