/**
 * A person's yes to a plan: to what it says, to the configuration it is run with, to the commit it begins at, and to every
 * command of it that this person has not seen yet. It is remembered outside the repository.
 */
import { commandsOf } from "../config/commands.ts";
import type { Inputs } from "../config/inputs.ts";
import { Trust } from "../config/trust.ts";
import type { Decider } from "../kernel/decider.ts";
import type { ConsideredPlan } from "../runtime/consider-plan.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import type { RunMeans } from "./run-means.ts";
import { yesOrNo } from "./yes-or-no.ts";

export type Approved =
  | (Asked & { readonly isGiven: true; readonly by: Decider })
  | (Asked & { readonly isGiven: false; readonly problem: Problem; readonly exit: ExitCode });

interface Asked {
  /** Somebody sat at the terminal and was shown what it is about. */
  readonly wasAsked: boolean;
}

export interface Approving {
  readonly considered: ConsideredPlan;
  readonly inputs: Inputs;
  readonly root: string;
  /** Everything that a yes is about; nothing where it was shown already. */
  readonly view: string;
  readonly question: string;
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

function newCommands(trust: Trust, { considered, root }: Approving): NamedCommand[] {
  const { config, checked } = considered;
  return commandsOf({ config, plan: checked.plan }).filter(({ digest }) => !trust.isKnown({ root, digest }));
}

async function ask(
  door: Door,
  { considered, view, question }: Approving,
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
        problem: needsPerson(considered.checked.name, unknown),
      }
    : { isGiven: false, wasAsked: true, exit: exit.refused, problem: declined };
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
