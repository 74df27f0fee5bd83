/**
 * A person's approval of a plan: of its text, the configuration it runs with, the commit it begins at, and every
 * command in it that this person has not seen yet. It is stored outside the repository.
 */
import { commandsOf } from "../../config/trust/commands.ts";
import type { Inputs } from "../../config/trust/inputs.ts";
import { Trust } from "../../config/trust/trust.ts";
import type { DecisionMaker } from "../../kernel/decision-maker.ts";
import type { ConsideredPlan } from "../../runtime/start/consider-plan.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { yesOrNo } from "../terminal/yes-or-no.ts";
import type { RunPorts } from "./run-ports.ts";

export type Approved =
  | (Asked & { readonly isGiven: true; readonly by: DecisionMaker })
  | (Asked & { readonly isGiven: false; readonly problem: Problem; readonly exit: ExitCode });

interface Asked {
  /** Somebody at the terminal was shown what they would approve. */
  readonly wasAsked: boolean;
}

export interface ApprovalInput {
  readonly considered: ConsideredPlan;
  readonly inputs: Inputs;
  readonly root: string;
  /** Everything the approval covers; empty if it was already shown. */
  readonly view: string;
  readonly question: string;
}

export async function approve(
  door: CommandContext,
  ports: RunPorts,
  approving: ApprovalInput,
): Promise<Approved> {
  const { considered, inputs, root } = approving;
  const trust = Trust.open(door.files, ports.trustFolder);
  const unknown = newCommands(trust, approving);
  const isAuto = considered.settings.approve?.value === "auto";
  const isApproved =
    unknown.length === 0 && (isAuto || trust.isApproved({ root, approval: inputs.approval }));
  const by = (how: DecisionMaker["door"]): DecisionMaker => ({ who: ports.user, door: how });
  if (isApproved) {
    // `cox resume` looks for the approval here.
    await trust.approve({ root, approval: inputs.approval });
    return { isGiven: true, wasAsked: false, by: by(isAuto ? "plan" : "command") };
  }

  const isYes = door.values.has("yes");
  if (!isYes) {
    const asked = await ask(door, approving, unknown);
    if (asked !== true) return asked;
  }
  await trust.remember({ root, digests: unknown.map(({ digest }) => digest) });
  await trust.approve({ root, approval: inputs.approval });
  return { isGiven: true, wasAsked: !isYes, by: by(isYes ? "command" : "terminal") };
}

type NamedCommand = ReturnType<typeof commandsOf>[number];

function newCommands(trust: Trust, { considered, root }: ApprovalInput): NamedCommand[] {
  const { config, checked, commandLine } = considered;
  const commands = commandsOf({ config, plan: checked.plan, typed: commandLine.settings });
  return commands.filter(({ digest }) => !trust.isKnown({ root, digest }));
}

async function ask(
  door: CommandContext,
  { considered, view, question }: ApprovalInput,
  unknown: readonly NamedCommand[],
): Promise<true | Approved> {
  const answer = await yesOrNo(door, { shown: view, question });
  door.signal.throwIfAborted();
  if (answer === "yes") return true;
  return answer === "nobody"
    ? {
        isGiven: false,
        wasAsked: false,
        exit: exit.waiting,
        problem: needsPerson(typedPlan(considered), unknown),
      }
    : { isGiven: false, wasAsked: true, exit: exit.refused, problem: declined };
}

function spelled(command: string | readonly string[]): string {
  return oneLine(typeof command === "string" ? command : command.join(" "), 300);
}

const declined: Problem = {
  code: "NOT_APPROVED",
  message: "the plan was not approved; nothing was started",
  hint: "Look at it again: cox check PLAN.md",
};

/** The plan's name as typed, followed by the options that were typed after it. */
export function typedPlan({ checked, commandLine }: Pick<ConsideredPlan, "checked" | "commandLine">): string {
  return [checked.name, commandLine.text].filter((word) => word !== "").join(" ");
}

function needsPerson(plan: string, unknown: readonly NamedCommand[]): Problem {
  const commands = unknown.map(({ command }) => spelled(command)).join("; ");
  const seen = commands === "" ? "" : `, and these commands: ${commands}`;
  return {
    code: "NEEDS_APPROVAL",
    message: `${oneLine(plan, 400)} has not been approved with this configuration at this commit${seen}`,
    hint: `Look at it and approve it: cox approve ${oneLine(plan, 400)} – or run it with --yes.`,
  };
}
