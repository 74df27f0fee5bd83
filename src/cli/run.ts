/**
 * `cox run PLAN.md`: checks the plan, has it approved by a person together with the commands it will run, and drives the crew
 * until everything is done or only a person can go on.
 */
import { Trust } from "../config/trust.ts";
import { beginAlone, earlierRun } from "../runtime/earlier-run.ts";
import { startRun } from "../runtime/start-run.ts";
import { type ApprovalFacts, uncommittedWords } from "../view/approval.ts";
import { failureDocument } from "../view/document.ts";
import { jsonText } from "../view/json-text.ts";
import { planWarningsText } from "../view/plan-check.ts";
import { problemsText } from "../view/problems.ts";
import { type Approved, approve } from "./approval.ts";
import { approvalFacts, approvalView } from "./approval-facts.ts";
import type { Door } from "./door.ts";
import { drive } from "./drive.ts";
import { type ExitCode, exit } from "./exit.ts";
import { type PreparedRun, prepareRun } from "./prepare-run.ts";
import { problemOf, refuseAgain } from "./refuse-again.ts";
import type { RunMeans } from "./run-means.ts";
import { tellProblems } from "./tell-problems.ts";

export async function run(door: Door, means: RunMeans): Promise<ExitCode> {
  const prepared = await prepareRun(door, means, "run");
  if (!prepared.isReady) return prepared.exit;
  const { world, considered, inputs, base } = prepared;
  const { root } = world.repository;
  const { name } = considered.checked;
  const findEarlier = () =>
    earlierRun({ files: world.files, root, now: world.clock.now() }, { name, approval: inputs.approval });
  const refused = await refuseAgain(door, await findEarlier(), name);
  if (refused !== undefined) return refused;
  const facts = approvalFacts(prepared, Trust.open(door.files, means.trustFolder));
  const approval = await approve(door, means, {
    considered,
    inputs,
    root,
    view: approvalView(facts, prepared, door.terminal.noticePaint),
    question: "Start?",
  });
  tellUnseen(door, prepared, approval);
  if (!approval.isGiven) return tellNotApproved(door, facts, approval);
  const begun = await beginAlone({ files: world.files, root }, async () => {
    // Another one may have begun while somebody was asked.
    const earlier = door.values.has("new") ? undefined : await findEarlier();
    if (earlier?.standing === "at-work") return { problem: problemOf(earlier, name) };
    return { open: await startRun(world, { considered, inputs, base, by: approval.by }) };
  });
  if ("problem" in begun) return tellProblems(door, "run", [begun.problem], exit.locked);
  const { open } = begun;
  return drive(door, { world, open, user: means.user, warnings: facts.warnings });
}

/** Whoever was asked has seen it; everybody else hears of it here, and of nothing that needs no thought. */
function tellUnseen({ terminal }: Door, prepared: PreparedRun, approval: Approved): void {
  if (approval.wasAsked || terminal.json) return;
  const { checked } = prepared.considered;
  terminal.notice(planWarningsText(checked, terminal.noticePaint));
  for (const note of [...(checked.notes ?? []), ...uncommittedWords(prepared)]) terminal.notice(`${note}\n`);
}

function tellNotApproved(
  { terminal }: Door,
  { warnings }: ApprovalFacts,
  { problem, exit: code }: Extract<Approved, { isGiven: false }>,
): ExitCode {
  if (terminal.json) terminal.print(jsonText({ ...failureDocument("run", [problem]), warnings }));
  else terminal.notice(problemsText([problem], "error", terminal.noticePaint));
  return code;
}
