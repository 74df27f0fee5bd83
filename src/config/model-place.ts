/** Where a model is that an agent of the driver `model` names, and how it is spoken to, with what nobody had to say. */
import { isLoopback } from "../std/is-loopback.ts";
import type { ConfigAgent } from "./config.ts";

export interface ModelPlace {
  readonly api: "anthropic" | "openai";
  readonly url: string;
  /** The name of a variable. On this machine nobody asks for one, and none is sent that was not named. */
  readonly key?: string;
}

type Said = Pick<ConfigAgent, "model" | "api" | "url" | "key">;

export function modelPlace(said: Said): ModelPlace {
  const api = said.api ?? (isAnthropic(said) ? "anthropic" : "openai");
  const { url, key: usualKey } = usual[api];
  const place = said.url ?? url;
  const key = said.key ?? (isLoopback(new URL(place)) ? undefined : usualKey);
  return { api, url: place, ...(key !== undefined && { key }) };
}

/** What runs on one's own machine, by name. */
export const localServers: Readonly<Record<string, string>> = {
  ollama: "http://127.0.0.1:11434/v1",
  lmstudio: "http://127.0.0.1:1234/v1",
};

const usual = {
  anthropic: { url: "https://api.anthropic.com/v1", key: "ANTHROPIC_API_KEY" },
  openai: { url: "https://api.openai.com/v1", key: "OPENAI_API_KEY" },
} as const;

/** Most servers speak as OpenAI's does; this one, and where it is asked for its models, does not. */
function isAnthropic({ url, model = "" }: Said): boolean {
  return url === undefined ? /^claude\b/i.test(model) : /(^|\.)anthropic\.com$/.test(new URL(url).hostname);
}
