/** `cox stop`: ends the agents at work. What they have done stays at their desks. */

import type { RunPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit.ts";
import { type SteerDone, steerRun } from "./steer-run.ts";

export function stop(door: CommandContext, ports: RunPorts): Promise<ExitCode> {
  return steerRun(door, ports, {
    command: "stop",
    run: door.words[0],
    decide: (_, by) => ({ command: "stop", by }),
    words,
  });
}

function words({ state: { status }, isRunning }: SteerDone): string {
  if (status.name === "finished") return "the run is over; there is nothing to stop";
  if (status.name === "stopped") return "the run was already stopped · resume: cox resume";
  return isRunning
    ? "stopped: running agents are ended, their work stays at their desks · resume: cox resume"
    : "stopped: no process was working on it · resume: cox resume";
}
