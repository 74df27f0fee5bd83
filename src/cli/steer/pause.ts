/** `cox pause`: agents at work finish their turns, and no new turn begins. */

import type { RunPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit.ts";
import { type SteerDone, steerRun } from "./steer-run.ts";

export function pauseCommand(door: CommandContext, ports: RunPorts): Promise<ExitCode> {
  return steerRun(door, ports, {
    command: "pause",
    run: door.words[0],
    decide: (_, by) => ({ command: "pause", reason: "person", detail: "", by }),
    words,
  });
}

function words({ state: { status }, isRunning }: SteerDone): string {
  if (status.name === "finished") return "the run is over; there is nothing to pause";
  if (status.name !== "running") return `the run was already ${status.name} · resume: cox resume`;
  return isRunning
    ? "paused: running turns finish, no new ones start · resume: cox resume"
    : "paused: no process was working on it · resume: cox resume";
}
