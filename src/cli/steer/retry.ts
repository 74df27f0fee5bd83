/** `cox retry TASK`: tries a failed task again, from what is on its desk, or from scratch. */
import type { TaskId } from "../../plan/plan.ts";
import { goesOn } from "../../runtime/steer.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { RunPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { steerRun } from "./steer-run.ts";

export async function retry(door: CommandContext, ports: RunPorts): Promise<ExitCode> {
  const [task = ""] = door.words;
  if (task === "") return tellProblems(door, "retry", [whichOne], exit.usage);
  const afresh = door.values.has("afresh");
  return steerRun(door, ports, {
    command: "retry",
    run: door.values.one("run"),
    decide: (_, by) => ({ command: "retry", task: task as TaskId, afresh, by }),
    words: (done) =>
      `${oneLine(task, 80)} will be tried again, ${afresh ? "from the beginning" : "with the files at its desk"}. ${goesOn(done)}`,
  });
}

const whichOne: Problem = {
  code: "USAGE",
  message: "which task should be tried again?",
  hint: "For example: cox retry users – failed tasks: cox status",
};
