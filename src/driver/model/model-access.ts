/** What a model's turn needs: its key and address, and access to the world. No key is kept after the turn. */
import { oneLine } from "../../std/printable.ts";
import type { Files } from "../../world/files/files.ts";
import type { OurEnvironment } from "../agent-environment.ts";
import type { TurnHandle, TurnRequest } from "../driver.ts";
import { failedTurn } from "../failure.ts";

/** Where a model is and how to talk to it. */
export interface ModelAccess {
  readonly api: "anthropic" | "openai";
  readonly url: string;
  readonly model: string;
  /** The variable's name and value; missing when no key is sent. */
  readonly key?: { readonly name: string; readonly value: string };
}

/** Returns a failed turn when something is missing. */
export function modelAccess(
  { agent, settings }: TurnRequest,
  environment: OurEnvironment,
): ModelAccess | TurnHandle {
  const { api, url, model, key } = settings;
  const name = oneLine(agent);
  if (api === undefined || url === undefined || model === undefined)
    return failedTurn(
      "AGENT_API",
      `agent ${name} has no model: write into its entry, for example, model: claude-opus-5`,
    );
  if (key === undefined) return { api, url, model };
  const value = environment[key]?.trim() ?? "";
  // A header accepts nothing else, and the resulting error message would repeat the key.
  if (/[^\u0021-\u007e]/.test(value))
    return failedTurn(
      "AGENT_NOT_SIGNED_IN",
      `agent ${name} (${oneLine(model)}) has no key: the variable ${oneLine(key)} holds blanks or characters that no key has. Set it again, then resume.`,
    );
  if (value === "")
    return failedTurn(
      "AGENT_NOT_SIGNED_IN",
      `agent ${name} (${oneLine(model)}) has no key: the variable ${oneLine(key)} is not set. Set it to a key for ${oneLine(new URL(url).host)}, then resume.`,
    );
  return { api, url, model, key: { name: key, value } };
}

export interface ModelWorld {
  readonly files: Files;
  /** Our own environment: the key is read from it when a turn begins, and stored nowhere. */
  readonly environment: OurEnvironment;
  readonly fetch: typeof fetch;
  /** Wall time, in milliseconds since 1970. */
  now(): number;
  /** How often a request that may succeed later is retried. */
  readonly retriesMax?: number;
}
