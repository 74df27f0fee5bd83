/** `cox rollback TASK`: shows what rolling back a task means, and asks; `take-back.ts` does it. */

import type { TaskId } from "../../plan/plan.ts";
import { planRollback, type RollbackPlan, type RollbackRequest } from "../../runtime/plan-rollback.ts";
import type { Entered } from "../../runtime/start/enter-run.ts";
import { steer } from "../../runtime/steer.ts";
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { rollbackText } from "../../view/end/rollback.ts";
import { named } from "../../view/status/task-words.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { refusalProblem } from "../../view/text/refusals.ts";
import { enterRunCommand } from "../begin/enter-run.ts";
import type { RunPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { askYes } from "../terminal/ask-yes.ts";
import { takeBack } from "./take-back.ts";

type Possible = Extract<RollbackPlan, { kind: "possible" }>;

export async function rollback(door: CommandContext, ports: RunPorts): Promise<ExitCode> {
  const [word = ""] = door.words;
  if (word === "") return refuse(door, [whichOne], exit.usage);
  const entry = await enterRunCommand(door, ports, { command: "rollback", run: door.values.one("run") });
  if ("left" in entry) return entry.left;
  const { world, seen } = entry.entered;
  const task = word as TaskId;
  const cascade = door.values.has("cascade");
  const by = { who: ports.user, door: "command" } as const;
  const plan = await planRollback(seen.state, world.repository, { task, cascade, by });
  if (plan.kind !== "possible") {
    if (!door.values.has("dry-run")) await logRefusal(entry.entered, plan, { task, cascade, by });
    return refuse(door, [problemOf(task, plan)], exit.refused);
  }

  const { terminal } = door;
  terminal.notice(
    rollbackText(plan, { ...terminal.size(), paint: terminal.noticePaint, ascii: terminal.ascii }),
  );
  if (door.values.has("dry-run")) return tellDryRun(door, entry.entered, plan);
  const what = `to reverting ${counted(plan.reverts.length, "task")}`;
  const yes = await askYes(door, { question: "Revert them?", what });
  if (!yes.isGiven) return refuse(door, [yes.problem], yes.exit);
  return takeBack(door, entry.entered, { task, cascade, by: { ...by, door: yes.door } });
}

/** Logs a refusal. Refusals for which the kernel has no event (an unknown task, a busy branch) are not logged. */
async function logRefusal(
  { world, folder }: Entered,
  plan: Exclude<RollbackPlan, Possible>,
  request: RollbackRequest,
): Promise<void> {
  if (plan.kind === "not-admitted") return;
  const conflict = plan.kind === "conflict" ? { conflict: { task: plan.task, paths: plan.paths } } : {};
  await steer(world, folder, { command: "log-rollback-refusal", ...request, ...conflict });
}

function refuse(door: CommandContext, problems: readonly Problem[], code: ExitCode): ExitCode {
  return tellProblems(door, "rollback", problems, code);
}

const whichOne: Problem = {
  code: "USAGE",
  message: "which task should be rolled back?",
  hint: "For example: cox rollback users – done tasks: cox status",
};

function problemOf(task: TaskId, plan: Exclude<RollbackPlan, Possible>): Problem {
  const name = oneLine(task, 80);
  switch (plan.kind) {
    case "not-admitted":
      return refusalProblem(plan.refusal);
    case "no-commit":
      return {
        code: "ROLLBACK_NO_COMMIT",
        message: plan.wasDoneBefore
          ? `${name} was done before the run began, so it has no commit to revert`
          : `${name} is not done, so it has no commit to revert`,
        hint: plan.wasDoneBefore ? "Revert it by hand: git revert" : "See its state: cox status",
      };
    case "blocked":
      return {
        code: "ROLLBACK_BLOCKED",
        message: `${counted(plan.dependents.length, "task")} already done depend${plan.dependents.length === 1 ? "s" : ""} on ${name}: ${named(plan.dependents, 8)}`,
        hint: `Roll them back with it: cox rollback ${name} --cascade`,
      };
    case "conflict": {
      const later = plan.later.length > 0 ? `, which ${named(plan.later, 8)} changed afterwards` : "";
      return {
        code: "ROLLBACK_CONFLICT",
        message: `${oneLine(plan.task, 80)} cannot be reverted by itself: it changed ${named(plan.paths, 5)}${later}`,
        hint:
          plan.later.length > 0
            ? `Roll the later ones back first: cox rollback ${oneLine(plan.later.at(-1) ?? "", 80)}`
            : "Revert it by hand on the run's branch: git revert",
      };
    }
  }
}

function tellDryRun(
  { terminal }: CommandContext,
  { folder }: Entered,
  { reverts, aborted }: Possible,
): ExitCode {
  if (terminal.json)
    terminal.print(jsonText({ ok: true, run: folder.run, dry_run: true, reverts, aborted, errors: [] }));
  else terminal.notice("dry run, nothing was changed\n");
  return exit.done;
}
