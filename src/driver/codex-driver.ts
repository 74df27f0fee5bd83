/**
 * The driver for Codex: its turns are those of any agent program, but for a developer that only proposes. That one is
 * talked to over the app server, where each of its edits can be declined and noted while its turn goes on.
 */
import { AppServerTurn, type AppServerWorld } from "./app-server-turn.ts";
import { type ClientWorld, clientDriver } from "./client-driver.ts";
import { codex } from "./codex.ts";
import type { Driver, TurnRequest } from "./driver.ts";
import { promptFailure } from "./failure.ts";

export function codexDriver(world: ClientWorld & AppServerWorld): Driver {
  const plain = clientDriver(codex, world);
  return {
    ...plain,
    takesEdits: true,
    start(turn, watching) {
      if (!isProposing(turn)) return plain.start(turn, watching);
      return promptFailure(turn.prompt) ?? new AppServerTurn({ world, turn, watching });
    },
  };
}

function isProposing({ role, way }: TurnRequest): boolean {
  return role === "developer" && way === "proposal";
}
