/**
 * `cox run PLAN.md`: checks the plan, has a person approve it together with the commands it will run, and drives the
 * crew until everything is done or only a person can continue.
 */
import { Trust } from "../../config/trust/trust.ts";
import { beginAlone, earlierRun } from "../../runtime/start/earlier-run.ts";
import { startRun } from "../../runtime/start/start-run.ts";
import { type ApprovalFacts, uncommittedWords } from "../../view/approval/approval.ts";
import { planWarningsText } from "../../view/approval/plan-check.ts";
import { failureDocument } from "../../view/text/document.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { problemsText } from "../../view/text/problems.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { type Approved, approve } from "./approval.ts";
import { approvalFacts, approvalView } from "./approval-facts.ts";
import { drive } from "./drive.ts";
import { type PreparedRun, prepareRun } from "./prepare-run.ts";
import { earlierRunProblem, refuseAgain } from "./refuse-again.ts";
import type { RunPorts } from "./run-ports.ts";

export async function runCommand(door: CommandContext, ports: RunPorts): Promise<ExitCode> {
  const prepared = await prepareRun(door, ports, "run");
  if (!prepared.isReady) return prepared.exit;
  const { world, considered, inputs, base } = prepared;
  const { root } = world.repository;
  const { name } = considered.checked;
  const findEarlier = () =>
    earlierRun({ files: world.files, root, now: world.clock.now() }, { name, approval: inputs.approval });
  const refused = await refuseAgain(door, await findEarlier(), name);
  if (refused !== undefined) return refused;
  const facts = approvalFacts(prepared, Trust.open(door.files, ports.trustFolder));
  const approval = await approve(door, ports, {
    considered,
    inputs,
    root,
    view: approvalView(facts, prepared, door.terminal.noticePaint),
    question: "Start?",
  });
  tellUnseen(door, prepared, approval);
  if (!approval.isGiven) return tellNotApproved(door, facts, approval);
  const begun = await beginAlone({ files: world.files, root }, async () => {
    // Another run may have begun while the person was being asked.
    const earlier = door.values.has("new") ? undefined : await findEarlier();
    if (earlier?.condition === "at-work") return { problem: earlierRunProblem(earlier, name) };
    return { open: await startRun(world, { considered, inputs, base, by: approval.by }) };
  });
  if ("problem" in begun) return tellProblems(door, "run", [begun.problem], exit.locked);
  const { open } = begun;
  return drive(door, { world, open, user: ports.user, warnings: facts.warnings });
}

/** Shows warnings and notes to users who were not asked for approval. Those who were have already seen them. */
function tellUnseen({ terminal }: CommandContext, prepared: PreparedRun, approval: Approved): void {
  if (approval.wasAsked || terminal.json) return;
  const { checked } = prepared.considered;
  terminal.notice(planWarningsText(checked, terminal.noticePaint));
  for (const note of [...(checked.notes ?? []), ...uncommittedWords(prepared)]) terminal.notice(`${note}\n`);
}

function tellNotApproved(
  { terminal }: CommandContext,
  { warnings }: ApprovalFacts,
  { problem, exit: code }: Extract<Approved, { isGiven: false }>,
): ExitCode {
  if (terminal.json) terminal.print(jsonText({ ...failureDocument("run", [problem]), warnings }));
  else terminal.notice(problemsText([problem], "error", terminal.noticePaint));
  return code;
}
