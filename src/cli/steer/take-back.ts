/**
 * Rolls tasks of a run back, waits until that is done, and reports the new state and whether the verify commands still
 * pass.
 */

import type { Recorded } from "../../journal/journal.ts";
import type { RollbackRequest } from "../../runtime/plan-rollback.ts";
import type { Entered } from "../../runtime/start/enter-run.ts";
import { goesOn, steer, unanswered } from "../../runtime/steer.ts";
import { counted } from "../../std/counted.ts";
import { firstLine, oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { named, shortSha } from "../../view/status/task-words.ts";
import { problemDocument } from "../../view/text/document.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { refusalProblem } from "../../view/text/refusals.ts";
import { pause } from "../../world/time/pause.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";

export async function takeBack(
  door: CommandContext,
  entered: Entered,
  request: RollbackRequest,
): Promise<ExitCode> {
  const { world, folder } = entered;
  const steered = await steer(world, folder, { command: "rollback", ...request });
  if (steered.kind === "refused")
    return tellProblems(door, "rollback", [refusalProblem(steered.refusal)], exit.refused);
  if (steered.kind === "unanswered") return tellProblems(door, "rollback", [unanswered], exit.locked);
  const outcome = outcomeOf(ownOf(await settled(entered), { ...request, ...steered }));
  return tell(door, { ...outcome, run: folder.run, isRunning: steered.isRunning });
}

const lookEveryMs = 100;

/** The run's writer needs time to revert and verify. Wait as long as that process is alive. */
async function settled({ world, look }: Entered): Promise<readonly Recorded[]> {
  const events: Recorded[] = [];
  for (;;) {
    events.push(...(await look.read()));
    const { state, liveness } = look.seen(world.clock.now());
    if (!liveness.isAlive || !state.queue.some(({ of }) => of === "rollback")) return events;
    await pause(lookEveryMs);
  }
}

interface Outcome {
  readonly reverted: readonly { readonly task: string; readonly commit: string }[];
  /** Null if there is no verify command, or verification was not reached. */
  readonly verified: boolean | null;
  readonly problems: readonly Problem[];
}

/**
 * Picks the records of our own request from those since our first look. Other requests may be recorded before or after
 * ours, but only one has the branch at a time. If ours did not get the branch, its answer is found by the task's name.
 */
function ownOf(
  events: readonly Recorded[],
  { task, request }: { readonly task: string; readonly request: string },
): readonly Recorded[] {
  const began = events.findIndex(
    (one) => one.event === "rollback_requested" && one.data.by.request === request,
  );
  if (began === -1) {
    const isAnswer = ({ event, data }: Recorded) =>
      (event === "rollback_blocked" || event === "rollback_failed") &&
      data.task === task &&
      (data.by === undefined || data.by.request === request);
    return events.filter(isAnswer).slice(-1);
  }
  const next = events.findIndex(({ event }, at) => at > began && event === "rollback_requested");
  return events.slice(began, next === -1 ? undefined : next);
}

function outcomeOf(events: readonly Recorded[]): Outcome {
  const reverted: { task: string; commit: string }[] = [];
  const problems: Problem[] = [];
  let verified: boolean | null = null;
  for (const one of events) {
    if (one.event === "task_rolled_back") reverted.push({ task: one.data.task, commit: one.data.to_sha });
    else if (one.event === "rollback_failed") problems.push(failed(one.data));
    else if (one.event === "rollback_blocked") problems.push(blocked(one.data));
    else if (one.event === "verification_passed" && one.data.work.of === "rollback") verified = true;
    else if (one.event === "verification_failed" && one.data.work.of === "rollback") {
      verified = false;
      problems.push(unverified(one.data.why));
    } else if (one.event === "run_paused" && one.data.reason === "trouble") problems.push(trouble(one.data));
  }
  return { reverted, verified, problems };
}

function failed({ task, reason }: { readonly task: string; readonly reason: string }): Problem {
  if (reason === "no_commit_recorded")
    return {
      code: "ROLLBACK_NO_COMMIT",
      message: `${oneLine(task, 80)} was not reverted: no commit of it is recorded`,
      hint: "See its state: cox status",
    };
  return {
    code: "ROLLBACK_CONFLICT",
    message: `${oneLine(task, 80)} was not reverted: ${oneLine(reason, 400)}`,
    hint: "Roll back first what came after it, or revert it by hand on the run's branch: git revert",
  };
}

function blocked({
  task,
  dependents,
}: {
  readonly task: string;
  readonly dependents: readonly string[];
}): Problem {
  const name = oneLine(task, 80);
  return {
    code: "ROLLBACK_BLOCKED",
    message: `${name} was not reverted: ${named(dependents, 8)}, which depends on it, was done meanwhile`,
    hint: `Roll them back with it: cox rollback ${name} --cascade`,
  };
}

function unverified(why: string): Problem {
  return {
    code: "ROLLBACK_UNVERIFIED",
    message: `without it the verify commands fail: ${firstLine(why, 400)}`,
    hint: "The revert stays. To have the task done again: cox resume",
  };
}

function trouble({ detail }: { readonly detail: string }): Problem {
  return { code: "RUN_TROUBLE", message: oneLine(detail, 400), hint: "Fix it, then: cox resume" };
}

function tell(
  door: CommandContext,
  outcome: Outcome & { readonly run: string; readonly isRunning: boolean },
): ExitCode {
  const { terminal } = door;
  const { run, isRunning, reverted, verified, problems } = outcome;
  const isDone = problems.length === 0 && reverted.length > 0;
  if (terminal.json) {
    const errors = problems.map(problemDocument);
    const document = { ok: isDone, run, is_running: isRunning, reverted, verified, errors };
    terminal.print(jsonText(document));
    return isDone ? exit.done : exit.refused;
  }
  const last = reverted.at(-1);
  if (last) {
    const sum = `${counted(reverted.length, "task")} reverted, the branch is at ${shortSha(last.commit)}`;
    const passed = verified === true ? ", the verify commands pass" : "";
    terminal.print(
      `${terminal.paint("green", "✓")} ${sum}${passed}. To be done again. ${goesOn({ isRunning })}\n`,
    );
  }
  return isDone ? exit.done : tellProblems(door, "rollback", problems, exit.refused);
}
