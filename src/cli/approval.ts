/**
 * A person's yes to a plan: to what it says, to the configuration it is run with, to the commit it begins at, and to every
 * command of it that this person has not seen yet. It is remembered outside the repository.
 */
import { commandsOf } from "../config/commands.ts";
import type { Inputs } from "../config/inputs.ts";
import { Trust } from "../config/trust.ts";
import type { Decider } from "../kernel/decider.ts";
import type { ConsideredPlan } from "../runtime/consider-plan.ts";
import { counted } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import type { RunMeans } from "./run-means.ts";
import { yesOrNo } from "./yes-or-no.ts";

export type Approved =
  | { readonly isGiven: true; readonly by: Decider }
  | { readonly isGiven: false; readonly problem: Problem; readonly exit: ExitCode };

export interface Approving {
  readonly considered: ConsideredPlan;
  readonly inputs: Inputs;
  readonly root: string;
  /** Asked alone, where everything that a yes is about was shown already. */
  readonly question?: string;
}

export async function approve(door: Door, means: RunMeans, approving: Approving): Promise<Approved> {
  const { considered, inputs, root } = approving;
  const trust = Trust.open(door.files, means.trustFolder);
  const unknown = newCommands(trust, approving);
  const isAuto = considered.settings.approve?.value === "auto";
  const isApproved =
    unknown.length === 0 && (isAuto || trust.isApproved({ root, approval: inputs.approval }));
  const by = (how: Decider["door"]): Decider => ({ who: means.user, door: how });
  if (isApproved) {
    // Whoever goes on with the run finds it here.
    await trust.approve({ root, approval: inputs.approval });
    return { isGiven: true, by: by(isAuto ? "plan" : "command") };
  }

  const isYes = door.values.has("yes");
  if (!isYes) {
    const asked = await ask(door, approving, unknown);
    if (asked !== true) return asked;
  }
  await trust.remember({ root, digests: unknown.map(({ digest }) => digest) });
  await trust.approve({ root, approval: inputs.approval });
  return { isGiven: true, by: by(isYes ? "command" : "terminal") };
}

type NamedCommand = ReturnType<typeof commandsOf>[number];

function newCommands(trust: Trust, { considered, root }: Approving): NamedCommand[] {
  const { config, checked } = considered;
  return commandsOf({ config, plan: checked.plan }).filter(({ digest }) => !trust.isKnown({ root, digest }));
}

async function ask(
  door: Door,
  { considered, question }: Approving,
  unknown: readonly NamedCommand[],
): Promise<true | Approved> {
  const shown = question === undefined ? atAGlance(considered, unknown) : "";
  const answer = await yesOrNo(door, { shown, question: question ?? "Start?" });
  door.signal.throwIfAborted();
  if (answer === "yes") return true;
  return answer === "nobody"
    ? { isGiven: false, exit: exit.waiting, problem: needsPerson(considered.checked.name, unknown) }
    : { isGiven: false, exit: exit.refused, problem: declined };
}

function atAGlance({ checked }: ConsideredPlan, unknown: readonly NamedCommand[]): string {
  const { plan, picture, name } = checked;
  const open = plan.tasks.filter(({ isDone }) => !isDone).length;
  const size = `${counted(open, "task")} in ${counted(picture.levels.length, "level")}`;
  const seen =
    unknown.length === 0 ? "" : `It runs commands that you have not seen here before:\n${listed(unknown)}`;
  return `${oneLine(plan.title || name, 200)}: ${size}\n${seen}`;
}

function listed(commands: readonly NamedCommand[]): string {
  return commands.map(({ what, command }) => `  ${what.padEnd(14)} ${spelled(command)}\n`).join("");
}

function spelled(command: string | readonly string[]): string {
  return oneLine(typeof command === "string" ? command : command.join(" "), 300);
}

const declined: Problem = {
  code: "NOT_APPROVED",
  message: "the plan was not approved; nothing was begun",
  hint: "Look at it again: cox check PLAN.md",
};

function needsPerson(name: string, unknown: readonly NamedCommand[]): Problem {
  const commands = unknown.map(({ command }) => spelled(command)).join("; ");
  const seen = commands === "" ? "" : `, and these commands: ${commands}`;
  return {
    code: "NEEDS_APPROVAL",
    message: `nobody has approved ${oneLine(name, 200)} with this configuration at this commit${seen}`,
    hint: `Look at it and approve it: cox approve ${oneLine(name, 200)} – or run it with --yes.`,
  };
}
