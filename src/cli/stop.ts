/** `cox stop`: agents at work are ended; what they have done stays at their desks. */
import type { Door } from "./door.ts";
import type { ExitCode } from "./exit.ts";
import type { RunMeans } from "./run-means.ts";
import { type Done, steerRun } from "./steer-run.ts";

export function stop(door: Door, means: RunMeans): Promise<ExitCode> {
  return steerRun(door, means, {
    command: "stop",
    run: door.words[0],
    decide: (_, by) => ({ command: "stop", by }),
    words,
  });
}

function words({ state: { status }, isRunning }: Done): string {
  if (status.name === "finished") return "the run is over; there was nothing to stop";
  if (status.name === "stopped") return "the run was stopped already · go on: cox resume";
  return isRunning
    ? "stopped: agents at work are ended, what they have done stays at their desks · go on: cox resume"
    : "stopped: nobody was at work on it · go on: cox resume";
}
