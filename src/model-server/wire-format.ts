/**
 * How one vendor encodes requests and replies. A format only translates: it decides nothing, waits for nothing, and
 * accepts whatever a client sends, since clients send things that no documentation describes.
 */
import type { Json } from "../std/canonical-json.ts";
import type { ModelFailure, ModelReply } from "./model-reply.ts";
import type { FormatName, ModelRequest } from "./model-request.ts";

export interface WireFormat {
  readonly name: FormatName;
  /** The operation at this path, if it belongs to the format. */
  route(path: string): Route | undefined;
  read(body: Json, route: Route): ModelRequest;
  /** The reply in one piece. */
  whole(reply: ModelReply): Json;
  /** The reply as stream frames, in order; the last one marks it as complete. */
  frames(reply: ModelReply, asked: WireCall): string[];
  failure(failure: ModelFailure): FailureOnWire;
  /** The answer to a token count request. */
  tokens(count: number): Json;
}

export interface Route {
  readonly operation: "generate" | "count";
  /** If the path says it. */
  readonly model?: string;
  readonly stream?: boolean;
}

/** The raw request, for the few options that affect a stream. */
export interface WireCall {
  readonly body: Json;
}

export interface FailureOnWire {
  readonly body: Json;
  readonly headers: Readonly<Record<string, string>>;
}

/** A server-sent event. */
export function frame(data: Json, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Splits text as a stream would, a few words at a time. */
export function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,24}/gu) ?? [];
}
