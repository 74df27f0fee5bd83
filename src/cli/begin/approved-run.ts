/** `cox resume` asks a person to approve a run that was not approved here. */

import type { State } from "../../kernel/state.ts";
import type { ApprovedHere } from "../../runtime/start/approved-here.ts";
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import { runTitle } from "../../view/run-title.ts";
import type { CommandContext } from "../command-context.ts";
import { askYes, type Yes } from "../terminal/ask-yes.ts";

export async function approvedRun(door: CommandContext, approved: ApprovedHere, state: State): Promise<Yes> {
  door.terminal.notice(shown(state, approved.commands));
  const yes = await askYes(door, { question: "Resume it?", what: "to a run that was not approved here" });
  if (yes.isGiven) await approved.give();
  return yes;
}

function shown({ run, tasks }: State, commands: readonly string[]): string {
  const agents = [...new Set([...tasks.values()].map(({ facts }) => oneLine(facts.agent, 40)))];
  const lines = commands.map((command) => `  ${oneLine(command, 300)}\n`).join("");
  const head = `${oneLine(run ? runTitle(run) : "", 200)}: ${counted(tasks.size, "task")}, agents ${agents.join(", ")}`;
  const config = `Its agents are described in .coxswain/runs/${oneLine(run?.run ?? "", 60)}/config.json.`;
  return `${head}\nYou have not approved this run in this folder. ${config} It runs these commands:\n${lines}`;
}
