/**
 * The driver for a model without a program around it, over HTTP. It has no hands: it looks at its desk through tools of
 * ours, in our own process, and what it proposes is carried out by the coordinator.
 *
 * The packages that speak to models are loaded when the first turn begins and not before: they take longer to load than
 * all the rest.
 */
import { oneLine } from "../std/printable.ts";
import type { Driver, TurnOutcome, TurnRequest } from "./driver.ts";
import { failedTurn, promptFailure } from "./failure.ts";
import { type ModelWorld, modelAccess } from "./model-access.ts";

export function model(world: ModelWorld): Driver {
  return {
    name: "model",
    ways: ["proposal"],
    canResume: false,
    start(turn, watching) {
      const refusal = promptFailure(turn.prompt);
      if (refusal !== undefined) return refusal;
      const access = modelAccess(turn, world.environment);
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
