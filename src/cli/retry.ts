/** `cox retry TASK`: another try for a task that failed, from what stands at its desk, or afresh. */
import type { TaskId } from "../plan/plan.ts";
import { goesOn } from "../runtime/steer.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import type { RunMeans } from "./run-means.ts";
import { steerRun } from "./steer-run.ts";
import { tellProblems } from "./tell-problems.ts";

export async function retry(door: Door, means: RunMeans): Promise<ExitCode> {
  const [task = ""] = door.words;
  if (task === "") return tellProblems(door, "retry", [whichOne], exit.usage);
  const afresh = door.values.has("afresh");
  return steerRun(door, means, {
    command: "retry",
    run: door.values.one("run"),
    decide: (_, by) => ({ command: "retry", task: task as TaskId, afresh, by }),
    words: (done) =>
      `${oneLine(task, 80)} is tried again, ${afresh ? "from the beginning" : "from what stands at its desk"}. ${goesOn(done)}`,
  });
}

const whichOne: Problem = {
  code: "USAGE",
  message: "which task is to be tried again?",
  hint: "Type for example: cox retry users – those that failed: cox status",
};
