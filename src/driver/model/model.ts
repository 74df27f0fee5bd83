/**
 * The driver for a bare model, over HTTP. The model cannot change files itself: it looks at its desk through our tools,
 * in our own process, and the coordinator carries out what it proposes.
 *
 * The packages that talk to models are loaded only when the first turn begins: they take longer to load than everything
 * else.
 */

import { oneLine } from "../../std/printable.ts";
import type { Driver, TurnOutcome, TurnRequest } from "../driver.ts";
import { failedTurn, promptFailure } from "../failure.ts";
import { workModes } from "../work-modes.ts";
import { type ModelWorld, modelAccess } from "./model-access.ts";

export function model(world: ModelWorld): Driver {
  return {
    name: "model",
    modes: workModes("model"),
    canResume: false,
    start(turn, observer) {
      const refusal = promptFailure(turn.prompt);
      if (refusal !== undefined) return refusal;
      const access = modelAccess(turn, world.environment);
      if ("outcome" in access) return access;
      const controller = new AbortController();
      const outcome = import("./model-turn.ts").then(
        ({ playTurn }) => playTurn({ turn, access, world, observer, cancelled: controller.signal }),
        (error: unknown) => notLoaded(turn, error),
      );
      return { outcome, cancel: () => controller.abort() };
    },
  };
}

/** If cox is replaced by a newer version while it runs, parts that were not loaded yet are gone. */
function notLoaded({ agent }: TurnRequest, error: unknown): Promise<TurnOutcome> {
  const message = `agent ${oneLine(agent)} cannot be started: a part of cox cannot be loaded (${oneLine(String(error))}). Was cox reinstalled meanwhile? Stop the run and resume it: cox resume`;
  return failedTurn("AGENT_SPAWN", message).outcome;
}
