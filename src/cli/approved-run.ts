/** The yes of a person to a run that was not approved here, asked for by `cox resume`. */

import type { State } from "../kernel/state.ts";
import type { ApprovedHere } from "../runtime/approved-here.ts";
import { notApproved } from "../runtime/approved-here.ts";
import { counted } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";
import { askYes, type Yes } from "./ask-yes.ts";
import type { Door } from "./door.ts";
import { exit } from "./exit.ts";

export interface Approvable {
  readonly approved: ApprovedHere;
  readonly state: State;
  /** Asked for now, where it was not given before; else that is refused. */
  readonly mayAsk: boolean;
}

export async function approvedRun(door: Door, { approved, state, mayAsk }: Approvable): Promise<Yes> {
  if (approved.isGiven) return { isGiven: true, door: "command" };
  if (!mayAsk) return { isGiven: false, problem: notApproved, exit: exit.refused };
  door.terminal.notice(shown(state, approved.commands));
  const yes = await askYes(door, { question: "Go on with it?", what: "to a run that was not approved here" });
  if (yes.isGiven) await approved.give();
  return yes;
}

function shown({ run, tasks }: State, commands: readonly string[]): string {
  const agents = [...new Set([...tasks.values()].map(({ facts }) => oneLine(facts.agent, 40)))];
  const lines = commands.map((command) => `  ${oneLine(command, 300)}\n`).join("");
  const head = `${oneLine(run?.title || run?.run || "", 200)}: ${counted(tasks.size, "task")}, agents ${agents.join(", ")}`;
  const config = `What its agents are is in .coxswain/runs/${oneLine(run?.run ?? "", 60)}/config.json.`;
  return `${head}\nYou have not approved this run in this folder. ${config} It runs these commands:\n${lines}`;
}
