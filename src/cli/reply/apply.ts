/** `cox apply`: applies a reply from a file or stdin. It shows the plan first and may ask a person. */

import type { Considered } from "../../runtime/acts/consider-reply.ts";
import { type ApplyOptions, applyReply, type Confirmed } from "../../runtime/apply-reply.ts";
import { type CallerContext, insideTurn } from "../../runtime/start/inside-turn.ts";
import type { Problem } from "../../std/problem.ts";
import type { ApplyReport } from "../../view/end/ended.ts";
import { tellEnded } from "../begin/tell-ended.ts";
import { tellPlan } from "../begin/tell-plan.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { openProgress } from "../terminal/progress.ts";
import { type ApplyRequest, readApplyRequest } from "./apply-request.ts";
import { confirm } from "./confirm.ts";
import { readInput } from "./input.ts";
import { openChangesets } from "./open-changesets.ts";

export async function apply(door: CommandContext, asked: CallerContext): Promise<ExitCode> {
  const refusal = door.values.has("dry-run") ? undefined : insideTurn(asked);
  if (refusal) return tellProblems(door, "apply", [refusal], exit.refused);
  const request = readApplyRequest(door);
  const ended = "problem" in request ? misused(request.problem) : await readAndApply(door, request);
  return tellEnded(ended, door.terminal);
}

async function readAndApply(door: CommandContext, request: ApplyRequest): Promise<ApplyReport> {
  const { stdin, signal, terminal } = door;
  if (request.input === "-" && stdin.isTTY) {
    terminal.notice("Paste the reply, then press Ctrl-D. (From a file: cox apply FILE)\n");
  }
  const input = await readInput(request.input, stdin, signal, {
    what: "reply",
    hint: "Name a file that contains the reply, or pipe it in: my-model | cox apply",
  });
  signal.throwIfAborted();
  if ("problem" in input) return misused(input.problem);
  const progress = openProgress(door);
  try {
    return await applyReply(input.bytes, applyingOf(door, request, progress.report));
  } finally {
    progress.end();
  }
}

function applyingOf(
  door: CommandContext,
  request: ApplyRequest,
  onProgress: ApplyOptions["onProgress"],
): ApplyOptions {
  const { files, signal, terminal } = door;
  const { root, dryRun: isDryRun, writes, confirmDeletes, fence, id } = request;
  return {
    files,
    root,
    rules: { writes, confirmDeletes },
    isDryRun,
    ...(fence !== undefined && { fence }),
    ...(id !== undefined && { id }),
    signal,
    open: () => openChangesets(door, root),
    onPlan: (considered) => tellPlan(considered, terminal, isDryRun),
    onProgress,
    confirm: (considered) => askPerson(door, request, considered),
  };
}

async function askPerson(
  door: CommandContext,
  { yes }: ApplyRequest,
  considered: Considered,
): Promise<Confirmed> {
  const { terminal, signal } = door;
  if (yes) return { is: "given" };
  const person = terminal.json ? undefined : door.findPerson();
  if (!person) return { is: "nobody-there" };
  const asking = { person, considered, paint: terminal.noticePaint, signal };
  const problem = await confirm(asking);
  return problem ? { is: "denied", problem } : { is: "given" };
}

function misused(problem: Problem): ApplyReport {
  return { ending: { name: "misused", problems: [problem] }, operations: [], warnings: [] };
}
