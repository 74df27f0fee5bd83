/**
 * Whether this user approved a run here. Its folder lies in the repository, so a clone may bring one that somebody else
 * wrote: nothing of it is run, or taken for a decision, before a person here has said yes to it.
 */
import { commandDigest } from "../config/commands.ts";
import type { Approval } from "../config/inputs.ts";
import { Trust } from "../config/trust.ts";
import type { State } from "../kernel/state.ts";
import { counted } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { askYes, type Yes } from "./ask-yes.ts";
import type { Door } from "./door.ts";
import { exit } from "./exit.ts";
import type { RunMeans } from "./run-means.ts";

export interface Approvable {
  readonly root: string;
  readonly state: State;
  /** Asked for now, where it was not given before; else that is refused. */
  readonly mayAsk: boolean;
}

export async function approvedRun(door: Door, means: RunMeans, run: Approvable): Promise<Yes> {
  const { root, state, mayAsk } = run;
  const trust = Trust.open(door.files, means.trustFolder);
  const commands = commandsIn(state);
  const unknown = commands.filter((command) => !trust.isKnown({ root, digest: commandDigest({ command }) }));
  const approval = approvalOf(state);
  if (unknown.length === 0 && trust.isApproved({ root, approval })) return { isGiven: true, door: "command" };
  if (!mayAsk) return { isGiven: false, problem: notApproved, exit: exit.refused };

  door.terminal.notice(shown(state, commands));
  const yes = await askYes(door, { question: "Go on with it?", what: "to a run that was not approved here" });
  if (!yes.isGiven) return yes;
  await trust.remember({ root, digests: commands.map((command) => commandDigest({ command })) });
  await trust.approve({ root, approval });
  return yes;
}

/** As the log says them, which is what would be run. */
function commandsIn({ run, tasks }: State): string[] {
  const own = [...tasks.values()].flatMap(({ facts }) => facts.verify);
  return [...new Set([...(run?.settings.setup ?? []), ...(run?.settings.verify ?? []), ...own])];
}

function approvalOf({ run }: State): Approval {
  return { plan: run?.plan_sha256 ?? "", config: run?.config_sha256 ?? "", base: run?.base ?? "" };
}

const notApproved: Problem = {
  code: "RUN_NOT_APPROVED",
  message: "you have not approved this run in this folder; it may have come with the repository",
  hint: "Look at it: cox status, cox log. To go on with it: cox resume",
};

function shown({ run, tasks }: State, commands: readonly string[]): string {
  const agents = [...new Set([...tasks.values()].map(({ facts }) => oneLine(facts.agent, 40)))];
  const lines = commands.map((command) => `  ${oneLine(command, 300)}\n`).join("");
  const head = `${oneLine(run?.title || run?.run || "", 200)}: ${counted(tasks.size, "task")}, agents ${agents.join(", ")}`;
  const config = `What its agents are is in .coxswain/runs/${oneLine(run?.run ?? "", 60)}/config.json.`;
  return `${head}\nYou have not approved this run in this folder. ${config} It runs these commands:\n${lines}`;
}
