/** `cox rollback TASK`: shows what taking a task back means, and asks; `take-back.ts` does it. */
import type { TaskId } from "../plan/plan.ts";
import type { Entered } from "../runtime/enter-run.ts";
import { planRollback, type RollbackPlan } from "../runtime/plan-rollback.ts";
import { counted } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { refusalProblem } from "../view/refusals.ts";
import { rollbackText } from "../view/rollback.ts";
import { named } from "../view/task-words.ts";
import { askYes } from "./ask-yes.ts";
import type { Door } from "./door.ts";
import { enterRun } from "./enter-run.ts";
import { type ExitCode, exit } from "./exit.ts";
import type { RunMeans } from "./run-means.ts";
import { takeBack } from "./take-back.ts";
import { tellProblems } from "./tell-problems.ts";

type Possible = Extract<RollbackPlan, { kind: "possible" }>;

export async function rollback(door: Door, means: RunMeans): Promise<ExitCode> {
  const [word = ""] = door.words;
  if (word === "") return refuse(door, [whichOne], exit.usage);
  const entry = await enterRun(door, means, { command: "rollback", run: door.values.one("run") });
  if ("left" in entry) return entry.left;
  const { world, seen } = entry.entered;
  const task = word as TaskId;
  const cascade = door.values.has("cascade");
  const by = { who: means.user, door: "command" } as const;
  const plan = await planRollback(seen.state, world.repository, { task, cascade, by });
  if (plan.kind !== "possible") return refuse(door, [problemOf(task, plan)], exit.refused);

  const { terminal } = door;
  terminal.notice(
    rollbackText(plan, { ...terminal.size(), paint: terminal.noticePaint, ascii: terminal.ascii }),
  );
  if (door.values.has("dry-run")) return tellDryRun(door, entry.entered, plan);
  const what = `to taking ${counted(plan.reverts.length, "task")} back`;
  const yes = await askYes(door, { question: "Take them back?", what });
  if (!yes.isGiven) return refuse(door, [yes.problem], yes.exit);
  return takeBack(door, entry.entered, { task, cascade, by: { ...by, door: yes.door } });
}

function refuse(door: Door, problems: readonly Problem[], code: ExitCode): ExitCode {
  return tellProblems(door, "rollback", problems, code);
}

const whichOne: Problem = {
  code: "USAGE",
  message: "which task is to be taken back?",
  hint: "Type for example: cox rollback users – those that are complete: cox status",
};

function problemOf(task: TaskId, plan: Exclude<RollbackPlan, Possible>): Problem {
  const name = oneLine(task, 80);
  switch (plan.kind) {
    case "not-admitted":
      return refusalProblem(plan.refusal);
    case "no-commit":
      return {
        code: "ROLLBACK_NO_COMMIT",
        message: `${name} was done before the run began, so there is no commit of it to take back`,
        hint: "Take it back by hand: git revert",
      };
    case "blocked":
      return {
        code: "ROLLBACK_BLOCKED",
        message: `${counted(plan.dependents.length, "complete task")} depend${plan.dependents.length === 1 ? "s" : ""} on ${name}: ${named(plan.dependents, 8)}`,
        hint: `Take them back with it: cox rollback ${name} --cascade`,
      };
    case "conflict": {
      const later = plan.later.length > 0 ? `, which ${named(plan.later, 8)} changed afterwards` : "";
      return {
        code: "ROLLBACK_CONFLICT",
        message: `${oneLine(plan.task, 80)} cannot be taken back by itself: it changed ${named(plan.paths, 5)}${later}`,
        hint:
          plan.later.length > 0
            ? `Take the later ones back first: cox rollback ${oneLine(plan.later.at(-1) ?? "", 80)}`
            : "Take it back by hand on the run's branch: git revert",
      };
    }
  }
}

function tellDryRun({ terminal }: Door, { folder }: Entered, { reverts, aborted }: Possible): ExitCode {
  if (terminal.json)
    terminal.print(
      `${JSON.stringify({ ok: true, run: folder.run, dry_run: true, reverts, aborted, errors: [] })}\n`,
    );
  else terminal.notice("dry run, nothing was changed\n");
  return exit.done;
}
