/**
 * Decides whether `cox run` may begin when its plan already has a run. Typing the same command twice should not
 * silently pay for the same work twice: the existing run is named with the command that resumes it, and `--new` begins
 * a new one anyway.
 */

import type { EarlierRun } from "../../runtime/start/earlier-run.ts";
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { groupCounts } from "../../view/status/groups.ts";
import { runHeadline } from "../../view/status/run-headline.ts";
import { problemsText } from "../../view/text/problems.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { yesOrNo } from "../terminal/yes-or-no.ts";

/** Returns `undefined` if the run may begin. */
export async function refuseAgain(
  door: CommandContext,
  earlier: EarlierRun | undefined,
  plan: string,
): Promise<ExitCode | undefined> {
  if (!earlier || door.values.has("new")) return undefined;
  const problem = earlierRunProblem(earlier, plan);
  if (earlier.condition === "at-work") return tellProblems(door, "run", [problem], exit.locked);
  const { terminal } = door;
  const isYes = door.values.has("yes");
  // `--yes` does not agree to abandoning an unfinished run. It is enough to repeat a finished one, with a warning.
  if (isYes && (earlier.condition === "finished" || earlier.condition === "landed")) {
    if (!terminal.json) terminal.notice(problemsText([problem], "warning", terminal.noticePaint));
    return undefined;
  }
  if (!isYes) {
    const shown = problemsText([problem], "warning", terminal.noticePaint);
    const answer = await yesOrNo(door, { shown, question: "Start a new run anyway?" });
    door.signal.throwIfAborted();
    if (answer === "yes") return undefined;
    if (answer === "no") return exit.refused;
  }
  return tellProblems(door, "run", [problem], exit.refused);
}

export function earlierRunProblem({ condition, glance }: EarlierRun, plan: string): Problem {
  const run = oneLine(glance.run, 60);
  const file = oneLine(plan, 200);
  const anew = `To start over: cox run ${file} --new`;
  const state = glance.seen?.state;
  const done = state ? groupCounts(state).done : 0;
  const share = `${done} of ${counted(state?.tasks.size ?? 0, "task")} done`;
  switch (condition) {
    case "at-work":
      return {
        code: "RUN_AT_WORK",
        message: `another process is working on the run ${run} of this plan (${share})`,
        hint: `Watch it: cox status ${run}. To start another beside it: cox run ${file} --new`,
      };
    case "unfinished": {
      const { words, command } = glance.seen
        ? runHeadline(glance.seen)
        : { words: "not finished", command: undefined };
      const next = command?.startsWith("cox questions")
        ? `Answer its questions: cox questions ${run}.`
        : `Resume it: cox resume ${run}.`;
      return {
        code: "RUN_UNFINISHED",
        message: `there is an unfinished run of this plan, ${run}: ${words}, ${share}`,
        hint: `${next} ${anew}`,
      };
    }
    case "landed": {
      const branch = oneLine(state?.landed.at(-1)?.branch ?? "", 80);
      return {
        code: "RUN_LANDED_ALREADY",
        message: `this plan was already done by the run ${run}, which has landed on ${branch}: ${share}`,
        hint: `Look at it: cox status ${run}. ${anew}`,
      };
    }
    case "finished": {
      const failed = state?.status.name === "finished" && state.status.outcome === "failed";
      return {
        code: "RUN_DONE_ALREADY",
        message: `this plan was already done, with this configuration at this commit, by the run ${run}: ${share}, not landed`,
        hint: failed
          ? `Look at it: cox status ${run}. Retry what failed: cox retry TASK --run ${run}. ${anew}`
          : `Land it: cox land ${run}. ${anew}`,
      };
    }
  }
}
