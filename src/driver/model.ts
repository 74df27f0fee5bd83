/**
 * The driver for a model without a program around it, over HTTP. It has no hands: it looks at its desk through tools of
 * ours, in our own process, and what it proposes is carried out by the coordinator.
 *
 * The packages that speak to models are loaded when the first turn begins and not before: they take longer to load than
 * all the rest.
 */
import { oneLine } from "../std/printable.ts";
import type { Files } from "../world/files.ts";
import type { OurEnvironment } from "./agent-environment.ts";
import type { Driver, TurnOutcome, TurnRequest } from "./driver.ts";
import { failedTurn, promptFailure } from "./failure.ts";

export interface ModelWorld {
  readonly files: Files;
  /** Our own: the key is read from it when a turn begins, and kept nowhere. */
  readonly environment: OurEnvironment;
  readonly fetch: typeof fetch;
  /** Wall time, in milliseconds since 1970. */
  now(): number;
  /** How often a request that may succeed later is sent again. */
  readonly retriesMax?: number;
}

/** Where a model is and how it is spoken to. */
export interface ModelAccess {
  readonly api: "anthropic" | "openai";
  readonly url: string;
  readonly model: string;
  /** The name of the variable, and what it holds; nothing where no key is sent. */
  readonly key?: { readonly name: string; readonly value: string };
}

export function model(world: ModelWorld): Driver {
  return {
    name: "model",
    ways: ["proposal"],
    canResume: false,
    start(turn, watching) {
      const refusal = promptFailure(turn.prompt);
      if (refusal !== undefined) return refusal;
      const access = accessOf(turn, world.environment);
      if ("outcome" in access) return access;
      const controller = new AbortController();
      const outcome = import("./model-turn.ts").then(
        ({ playTurn }) => playTurn({ turn, access, world, watching, cancelled: controller.signal }),
        (error: unknown) => notLoaded(turn, error),
      );
      return { outcome, cancel: () => controller.abort() };
    },
  };
}

/** A program that is replaced by a newer one while it runs has lost what it did not load before. */
function notLoaded({ agent }: TurnRequest, error: unknown): Promise<TurnOutcome> {
  const message = `agent ${oneLine(agent)} cannot be started: a part of cox cannot be loaded (${oneLine(String(error))}). Was cox installed anew meanwhile? End it and go on: cox resume`;
  return failedTurn("AGENT_SPAWN", message).outcome;
}

function accessOf({ agent, settings }: TurnRequest, environment: OurEnvironment) {
  const { api, url, model, key } = settings;
  const name = oneLine(agent);
  if (api === undefined || url === undefined || model === undefined)
    return failedTurn(
      "AGENT_API",
      `agent ${name} has no model: write into its entry, for example, model: claude-opus-5`,
    );
  if (key === undefined) return { api, url, model };
  const value = environment[key]?.trim() ?? "";
  // A header takes nothing else, and what refuses it would repeat it in its message.
  if (/[^\u0021-\u007e]/.test(value))
    return failedTurn(
      "AGENT_NOT_SIGNED_IN",
      `agent ${name} (${oneLine(model)}) has no key: the variable ${oneLine(key)} holds blanks or characters that no key has. Set it anew, then go on.`,
    );
  if (value === "")
    return failedTurn(
      "AGENT_NOT_SIGNED_IN",
      `agent ${name} (${oneLine(model)}) has no key: the variable ${oneLine(key)} is not set. Set it to a key for ${oneLine(new URL(url).host)}, then go on.`,
    );
  return { api, url, model, key: { name: key, value } };
}
