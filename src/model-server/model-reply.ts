/** The model's reply, the same for every wire format. */
import type { Json } from "../std/canonical-json.ts";

export interface ModelReply {
  /** Unique for each reply: clients merge pieces by it. */
  readonly id: string;
  readonly model: string;
  /** Wall time, in milliseconds since 1970. */
  readonly at: number;
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly ScriptedToolCall[];
  readonly usage: ReplyUsage;
  readonly stop: Stop;
}

export interface ScriptedToolCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  /** An object, or plain text for a tool that takes text. */
  readonly input: Json;
  readonly isCustom: boolean;
}

export interface ReplyUsage {
  /** Without tokens read from the cache. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
}

export const stops = ["end", "tools", "length", "refusal"] as const;
export type Stop = (typeof stops)[number];

/** An error from the server, instead of a reply. */
export interface ModelFailure {
  readonly status: number;
  readonly message: string;
  /** The format's own error type; each format has a default for every usual status. */
  readonly type?: string;
  /** When a retry makes sense: wall time in milliseconds, and the same in seconds from now. */
  readonly reset?: { readonly at: number; readonly seconds: number };
}
