/**
 * One vendor's way to write requests and replies down. A format only translates: it decides nothing, waits for
 * nothing, and reads whatever a client sends without complaint, since clients send what no page describes.
 */
import type { Json } from "../std/canonical-json.ts";
import type { ModelFailure, ModelReply } from "./model-reply.ts";
import type { FormatName, ModelRequest } from "./model-request.ts";

export interface WireFormat {
  readonly name: FormatName;
  /** What is asked for by this path, when it is one of the format's. */
  route(path: string): Route | undefined;
  read(body: Json, route: Route): ModelRequest;
  /** A reply in one piece. */
  whole(reply: ModelReply): Json;
  /** The same as frames of a stream, in order; the last one tells that it is complete. */
  frames(reply: ModelReply, asked: Asked): string[];
  failure(failure: ModelFailure): FailureOnWire;
  /** The answer to how many tokens a request has. */
  tokens(count: number): Json;
}

export interface Route {
  readonly operation: "generate" | "count";
  /** Where the path says it. */
  readonly model?: string;
  readonly stream?: boolean;
}

/** The request as it came, for the few wishes that shape a stream. */
export interface Asked {
  readonly body: Json;
}

export interface FailureOnWire {
  readonly body: Json;
  readonly headers: Readonly<Record<string, string>>;
}

/** A frame of server-sent events. */
export function frame(data: Json, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Text as a stream brings it, some words at a time. */
export function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,24}/gu) ?? [];
}
