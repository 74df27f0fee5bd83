/** `cox approve PLAN.md`: shows everything the approval covers, asks for it, and remembers it for `cox run`. */
import { Trust } from "../../config/trust/trust.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { approvalDocument } from "../../view/approval/approval.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { problemsText } from "../../view/text/problems.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { approve, typedPlan } from "./approval.ts";
import { approvalFacts, approvalView } from "./approval-facts.ts";
import { approveDocument, documentRoot } from "./approve-document.ts";
import { prepareRun } from "./prepare-run.ts";
import type { RunPorts } from "./run-ports.ts";
import { typedSettings } from "./setting-options.ts";

export async function approvePlan(door: CommandContext, ports: RunPorts): Promise<ExitCode> {
  const documents = documentRoot(door, ports);
  if (documents !== undefined) {
    const [setting] = typedSettings(door.values);
    if (setting) return tellProblems(door, "approve", [noSettings(setting.key)], exit.usage);
    return approveDocument(door, ports, documents);
  }
  const prepared = await prepareRun(door, ports, "approve");
  if (!prepared.isReady) return prepared.exit;
  const { terminal } = door;
  const { considered, inputs, world } = prepared;
  const trust = Trust.open(door.files, ports.trustFolder);
  terminal.notice(problemsText(trust.problems, "warning", terminal.noticePaint));
  const facts = approvalFacts(prepared, trust);
  if (!terminal.json) terminal.print(approvalView(facts, prepared, terminal.paint));
  const { root } = world.repository;
  const approval = await approve(door, ports, {
    considered,
    inputs,
    root,
    view: "",
    question: "Approve it?",
  });
  const problem = approval.isGiven
    ? undefined
    : {
        ...approval.problem,
        ...(approval.exit === exit.waiting && { hint: hintFor(typedPlan(considered)) }),
      };
  if (terminal.json) terminal.print(jsonText(approvalDocument(facts, problem)));
  else if (problem) tellProblems(door, "approve", [problem], exit.refused);
  else
    terminal.print(
      `${terminal.paint("green", "✓")} approved for this commit. Run it: cox run ${oneLine(typedPlan(considered), 400)}\n`,
    );
  return approval.isGiven ? exit.done : approval.exit;
}

function noSettings(key: string): Problem {
  return {
    code: "USAGE",
    message: `--${key} is a setting of a run; a document of tasks is not run`,
    hint: "Leave it out: this approves only the verify commands of its tasks.",
  };
}

function hintFor(plan: string): string {
  return `There is no terminal to ask in. Look at the plan, then type: cox approve ${oneLine(plan, 400)} --yes`;
}
