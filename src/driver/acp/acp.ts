/**
 * The driver for any agent that speaks the Agent Client Protocol over its stdio. The agent is started as `command`
 * starts any program; `acp-quirks` has the peculiarities of each.
 */

import { turnCommand } from "../command/turn-command.ts";
import type { Driver } from "../driver.ts";
import { workModes } from "../work-modes.ts";
import { type AcpQuirks, quirksOf } from "./acp-quirks.ts";
import { AcpTurn, type AcpWorld } from "./acp-turn.ts";

export function acp(world: AcpWorld): Driver {
  return asFor(world, { canResume: false, takesServer: true });
}

function asFor(
  world: AcpWorld,
  { canResume, takesServer }: Pick<AcpQuirks, "canResume" | "takesServer">,
): Driver {
  return {
    name: "acp",
    modes: workModes("acp"),
    canResume,
    takesServer,
    forAgent: (settings) => asFor(world, quirksOf(settings)),
    start(turn, observer) {
      const command = turnCommand(turn);
      return "failed" in command ? command.failed : new AcpTurn({ world, turn, observer, ...command });
    },
  };
}
