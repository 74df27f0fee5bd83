/**
 * The driver for any agent that speaks the Agent Client Protocol over its stdio. It is started as `command` starts any
 * program; what is peculiar to one stands in `acp-quirks`.
 */
import { oneLine } from "../std/printable.ts";
import { type AcpQuirks, quirksOf } from "./acp-quirks.ts";
import { AcpTurn, type AcpWorld } from "./acp-turn.ts";
import { commandProblem, isArgv } from "./command-problem.ts";
import type { Driver } from "./driver.ts";
import { failedTurn, promptFailure } from "./failure.ts";

export function acp(world: AcpWorld): Driver {
  return asFor(world, { canResume: false, takesServer: true });
}

function asFor(
  world: AcpWorld,
  { canResume, takesServer }: Pick<AcpQuirks, "canResume" | "takesServer">,
): Driver {
  return {
    name: "acp",
    ways: ["desk", "proposal"],
    canResume,
    takesServer,
    of: (settings) => asFor(world, quirksOf(settings)),
    start(turn, watching) {
      const refusal = promptFailure(turn.prompt);
      if (refusal !== undefined) return refusal;
      const { command: argv } = turn.settings;
      const problem = commandProblem(argv);
      if (problem !== undefined || !isArgv(argv)) {
        const words = `agent ${oneLine(turn.agent)} cannot be started: ${problem?.message}. ${problem?.hint}`;
        return failedTurn("AGENT_SPAWN", words);
      }
      return new AcpTurn({ world, turn, argv, watching });
    },
  };
}
