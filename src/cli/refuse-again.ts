/**
 * Whether `cox run` may begin, where its plan has a run already. Typing the same command twice should not pay for the same
 * work twice without a word: what there is is named with the command that goes on with it, and `--new` begins all the same.
 */

import type { EarlierRun } from "../runtime/earlier-run.ts";
import { counted } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { groupCounts } from "../view/groups.ts";
import { problemsText } from "../view/problems.ts";
import { runHeadline } from "../view/run-headline.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { tellProblems } from "./tell-problems.ts";
import { yesOrNo } from "./yes-or-no.ts";

/** Nothing when it may begin. */
export async function refuseAgain(
  door: Door,
  earlier: EarlierRun | undefined,
  plan: string,
): Promise<ExitCode | undefined> {
  if (!earlier || door.values.has("new")) return undefined;
  const problem = problemOf(earlier, plan);
  if (earlier.standing === "at-work") return tellProblems(door, "run", [problem], exit.locked);
  const { terminal } = door;
  const isYes = door.values.has("yes");
  // A yes to the plan is none to leaving half a run behind; to do again what is done it is enough, and said.
  if (isYes && earlier.standing === "finished") {
    if (!terminal.json) terminal.notice(problemsText([problem], "warning", terminal.noticePaint));
    return undefined;
  }
  if (!isYes) {
    const shown = problemsText([problem], "warning", terminal.noticePaint);
    const answer = await yesOrNo(door, { shown, question: "Begin a new run all the same?" });
    door.signal.throwIfAborted();
    if (answer === "yes") return undefined;
    if (answer === "no") return exit.refused;
  }
  return tellProblems(door, "run", [problem], exit.refused);
}

export function problemOf({ standing, glance }: EarlierRun, plan: string): Problem {
  const run = oneLine(glance.run, 60);
  const file = oneLine(plan, 200);
  const anew = `To begin anew: cox run ${file} --new`;
  const state = glance.seen?.state;
  const done = state ? groupCounts(state).done : 0;
  const share = `${done} of ${counted(state?.tasks.size ?? 0, "task")} done`;
  switch (standing) {
    case "at-work":
      return {
        code: "RUN_AT_WORK",
        message: `another process works on the run ${run} of this plan (${share})`,
        hint: `See how it goes: cox status ${run}. To begin another beside it: cox run ${file} --new`,
      };
    case "unfinished": {
      const { words, command } = state
        ? runHeadline(state, { isAlive: false })
        : { words: "not finished", command: undefined };
      const next = command?.startsWith("cox questions")
        ? `Answer what it asks: cox questions ${run}.`
        : `Go on with it: cox resume ${run}.`;
      return {
        code: "RUN_UNFINISHED",
        message: `there is an unfinished run of this plan, ${run}: ${words}, ${share}`,
        hint: `${next} ${anew}`,
      };
    }
    case "finished": {
      const failed = state?.status.name === "finished" && state.status.outcome === "failed";
      return {
        code: "RUN_DONE_ALREADY",
        message: `the run ${run} did this plan already, with this configuration at this commit: ${share}, not landed`,
        hint: failed
          ? `Look at it: cox status ${run}, and try again what failed: cox retry TASK --run ${run}. ${anew}`
          : `Take what it made: cox land ${run}. ${anew}`,
      };
    }
  }
}
