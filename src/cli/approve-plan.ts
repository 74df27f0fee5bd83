/** `cox approve PLAN.md`: shows everything that a yes is about, asks for it, and remembers it for `cox run`. */
import { Trust } from "../config/trust.ts";
import { oneLine } from "../std/printable.ts";
import { type ApprovalFacts, approvalDocument } from "../view/approval.ts";
import { jsonText } from "../view/json-text.ts";
import { problemsText } from "../view/problems.ts";
import { approve } from "./approval.ts";
import { approvalFacts, approvalView } from "./approval-facts.ts";
import { approveDocument, documentRoot } from "./approve-document.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { prepareRun } from "./prepare-run.ts";
import type { RunMeans } from "./run-means.ts";
import { tellProblems } from "./tell-problems.ts";

export async function approvePlan(door: Door, means: RunMeans): Promise<ExitCode> {
  const documents = documentRoot(door, means);
  if (documents !== undefined) return approveDocument(door, means, documents);
  const prepared = await prepareRun(door, means, "approve");
  if (!prepared.isReady) return prepared.exit;
  const { terminal } = door;
  const { considered, inputs, world } = prepared;
  const trust = Trust.open(door.files, means.trustFolder);
  terminal.notice(problemsText(trust.problems, "warning", terminal.noticePaint));
  const facts = approvalFacts(prepared, trust);
  if (!terminal.json) terminal.print(approvalView(facts, prepared, terminal.paint));
  const { root } = world.repository;
  const approval = await approve(door, means, {
    considered,
    inputs,
    root,
    view: "",
    question: "Approve it?",
  });
  const problem = approval.isGiven
    ? undefined
    : { ...approval.problem, ...(approval.exit === exit.waiting && { hint: hintFor(facts) }) };
  if (terminal.json) terminal.print(jsonText(approvalDocument(facts, problem)));
  else if (problem) tellProblems(door, "approve", [problem], exit.refused);
  else
    terminal.print(
      `${terminal.paint("green", "✓")} approved for this commit. Run it: cox run ${oneLine(facts.name, 200)}\n`,
    );
  return approval.isGiven ? exit.done : approval.exit;
}

function hintFor({ name }: ApprovalFacts): string {
  return `Nobody could be asked. When you have looked at it: cox approve ${oneLine(name, 200)} --yes`;
}
