/**
 * The driver for Codex. Its turns run like those of any agent program, except for a developer that only proposes. We
 * talk to that one through the app server, where each of its edits can be declined and recorded while its turn
 * continues.
 */
import { AppServerTurn, type AppServerWorld } from "../app-server/app-server-turn.ts";
import type { Driver, TurnRequest } from "../driver.ts";
import { promptFailure } from "../failure.ts";
import { type ClientWorld, clientDriver } from "./client-driver.ts";
import { codex } from "./codex.ts";

export function codexDriver(world: ClientWorld & AppServerWorld): Driver {
  const plain = clientDriver(codex, world);
  return {
    ...plain,
    takesEdits: true,
    start(turn, observer) {
      if (!isProposing(turn)) return plain.start(turn, observer);
      return promptFailure(turn.prompt) ?? new AppServerTurn({ world, turn, observer });
    },
  };
}

function isProposing({ role, mode }: TurnRequest): boolean {
  return role === "developer" && mode === "proposal";
}
