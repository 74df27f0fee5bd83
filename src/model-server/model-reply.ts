/** What the model answers, the same for every wire format. */
import type { Json } from "../std/canonical-json.ts";

export interface ModelReply {
  /** Fresh for each reply: clients merge pieces by it. */
  readonly id: string;
  readonly model: string;
  /** Wall time, in milliseconds since 1970. */
  readonly at: number;
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly Call[];
  readonly usage: Usage;
  readonly stop: Stop;
}

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  /** An object, but text for a tool that takes text as it is. */
  readonly input: Json;
  readonly isCustom: boolean;
}

export interface Usage {
  /** Without what came from the cache. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
}

export const stops = ["end", "tools", "length", "refusal"] as const;
export type Stop = (typeof stops)[number];

/** A refusal by the server, in place of a reply. */
export interface ModelFailure {
  readonly status: number;
  readonly message: string;
  /** The format's own word for it; each has one for every usual status. */
  readonly type?: string;
  /** When asking again makes sense: wall time in milliseconds, and the same in seconds from now. */
  readonly reset?: { readonly at: number; readonly seconds: number };
}
