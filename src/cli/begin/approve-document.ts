/**
 * `cox approve .coxswain/docs/api/auth.md`: approves the verify commands of a task document. The document is not run as
 * a plan, but these commands run when somebody completes a task. The approval covers those commands in this repository,
 * whatever else the document says later.
 */
import { dirname, resolve } from "node:path";
import { commandDigest } from "../../config/trust/commands.ts";
import { Trust } from "../../config/trust/trust.ts";
import { readTasks } from "../../plan/read/read-tasks.ts";
import { insideTurn } from "../../runtime/start/inside-turn.ts";
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { problemDocument } from "../../view/text/document.ts";
import { jsonText } from "../../view/text/json-text.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { yesOrNo } from "../terminal/yes-or-no.ts";
import { readPlan } from "./read-plan.ts";
import type { RunPorts } from "./run-ports.ts";

/** The repository that the named document belongs to; `undefined` if the name is an ordinary plan. */
export function documentRoot({ words }: CommandContext, { realPath }: RunPorts): string | undefined {
  const [name] = words;
  if (name === undefined || name === "-") return undefined;
  const folder = realPath(dirname(resolve(name))) ?? "";
  return /^(.*?)\/\.coxswain\/(?:docs|coordinator)(?:\/|$)/.exec(folder)?.[1];
}

export async function approveDocument(
  door: CommandContext,
  ports: RunPorts,
  root: string,
): Promise<ExitCode> {
  const refusal = insideTurn(ports);
  if (refusal) return tellProblems(door, "approve", [refusal], exit.refused);
  const reading = await readPlan(door, "cox approve");
  if ("problem" in reading) return tellProblems(door, "approve", [reading.problem], exit.usage);
  const { terminal } = door;
  const trust = Trust.open(door.files, ports.trustFolder);
  const commands = commandsIn(reading.text).map((command) => {
    const digest = commandDigest({ command });
    return { command, digest, is_new: !trust.isKnown({ root, digest }) };
  });
  const unknown = commands.filter(({ is_new }) => is_new);
  const shown = [
    `${terminal.paint("bold", oneLine(reading.name, 200))}  ${counted(commands.length, "verify command")}`,
    ...commands.map(
      ({ command, is_new }) =>
        `  ${oneLine(command, 1000)}${is_new ? terminal.paint("yellow", "  new") : ""}`,
    ),
  ];
  if (!terminal.json) terminal.print(`${shown.join("\n")}\n`);
  const { problem, code } = unknown.length === 0 ? { code: exit.done } : await ask(door, reading.name);
  if (!problem) await trust.remember({ root, digests: unknown.map(({ digest }) => digest) });
  if (terminal.json) {
    const shownCommands = commands.map(({ command, is_new }) => ({ command, is_new }));
    const errors = problem ? [problemDocument(problem)] : [];
    terminal.print(jsonText({ ok: !problem, document: reading.name, commands: shownCommands, errors }));
  } else if (problem) return tellProblems(door, "approve", [problem], code);
  else if (commands.length === 0) terminal.print("Nothing to approve: no task has a Verify field.\n");
  else terminal.print(`${terminal.paint("green", "✓")} approved: they run when a task is completed.\n`);
  return code;
}

function commandsIn(text: string): string[] {
  const { tasks, settings } = readTasks(text);
  return [...new Set([...(settings.verify ?? []), ...tasks.flatMap(({ verify }) => verify)])];
}

async function ask(
  door: CommandContext,
  name: string,
): Promise<{ readonly problem?: Problem; readonly code: ExitCode }> {
  if (door.values.has("yes")) return { code: exit.done };
  const answer = await yesOrNo(door, { question: "Approve them?" });
  door.signal.throwIfAborted();
  if (answer === "yes") return { code: exit.done };
  if (answer === "no") {
    const message = "the commands were not approved; none of them will run";
    return {
      problem: { code: "NOT_APPROVED", message, hint: "Tasks that need them stay open." },
      code: exit.refused,
    };
  }
  const hint = `Look at them, then type: cox approve ${oneLine(name, 200)} --yes`;
  return {
    problem: {
      code: "NEEDS_APPROVAL",
      message: "these commands need your approval, and there is no terminal to ask in",
      hint,
    },
    code: exit.waiting,
  };
}
