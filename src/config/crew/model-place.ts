/** Where the model of an agent with the driver `model` is, and which API it speaks, with defaults filled in. */
import { isLoopback } from "../../std/is-loopback.ts";
import type { ConfigAgent } from "../file/config.ts";

export interface ModelPlace {
  readonly api: "anthropic" | "openai";
  readonly url: string;
  /** The name of a variable. Servers on this machine need no key, and none is sent unless it was named. */
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

/** Short names of servers on the user's own machine. */
export const localServers: Readonly<Record<string, string>> = {
  ollama: "http://127.0.0.1:11434/v1",
  lmstudio: "http://127.0.0.1:1234/v1",
};

const usual = {
  anthropic: { url: "https://api.anthropic.com/v1", key: "ANTHROPIC_API_KEY" },
  openai: { url: "https://api.openai.com/v1", key: "OPENAI_API_KEY" },
} as const;

/** Most servers speak OpenAI's API; Anthropic's own does not, and Claude models are looked for there by default. */
function isAnthropic({ url, model = "" }: Said): boolean {
  return url === undefined ? /^claude\b/i.test(model) : /(^|\.)anthropic\.com$/.test(new URL(url).hostname);
}
