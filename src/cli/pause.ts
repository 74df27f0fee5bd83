/** `cox pause`: agents at work finish their turn, nobody else begins. */
import type { Door } from "./door.ts";
import type { ExitCode } from "./exit.ts";
import type { RunMeans } from "./run-means.ts";
import { type Done, steerRun } from "./steer-run.ts";

export function pause(door: Door, means: RunMeans): Promise<ExitCode> {
  return steerRun(door, means, {
    command: "pause",
    run: door.words[0],
    decide: (_, by) => ({ command: "pause", reason: "person", detail: "", by }),
    words,
  });
}

function words({ state: { status }, isRunning }: Done): string {
  if (status.name === "finished") return "the run is over; there was nothing to pause";
  if (status.name !== "running") return `the run was ${status.name} already · go on: cox resume`;
  return isRunning
    ? "paused: agents at work finish their turn, nobody else begins · go on: cox resume"
    : "paused: nobody was at work on it · go on: cox resume";
}
