/**
 * `cox confirm ID` and `cox deny ID`: a person's decision on something only a person may allow. It covers exactly what
 * was asked.
 */
import type { QuestionId } from "../../kernel/event.ts";
import type { State } from "../../kernel/state.ts";
import { goesOn } from "../../runtime/steer.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { named } from "../../view/status/task-words.ts";
import type { RunPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { steerRun } from "./steer-run.ts";

export async function confirmQuestion(door: CommandContext, ports: RunPorts): Promise<ExitCode> {
  const [id = ""] = door.words;
  const question = id as QuestionId;
  if (id === "") return tellProblems(door, "confirm", [whichOne("confirm")], exit.usage);
  return steerRun(door, ports, {
    command: "confirm",
    run: door.values.one("run"),
    decide: (_, by) => ({ command: "confirm", question, by }),
    words: (done) => `${oneLine(id, 60)} is allowed${about(done.state, question)}. ${goesOn(done)}`,
  });
}

export async function denyQuestion(door: CommandContext, ports: RunPorts): Promise<ExitCode> {
  const [id = "", ...said] = door.words;
  const question = id as QuestionId;
  if (id === "") return tellProblems(door, "deny", [whichOne("deny")], exit.usage);
  return steerRun(door, ports, {
    command: "deny",
    run: door.values.one("run"),
    decide: (_, by) => ({ command: "deny", question, reason: said.join(" ").trim(), by }),
    words: (done) =>
      `${oneLine(id, 60)} is not allowed${about(done.state, question)}; the agent must do without. ${goesOn(done)}`,
  });
}

function whichOne(command: string): Problem {
  const hint = `For example: cox ${command} q1 – open questions: cox questions`;
  return { code: "USAGE", message: `which question do you want to ${command}?`, hint };
}

function about(state: State, id: QuestionId): string {
  const paths = state.questions.get(id)?.items.flatMap(({ path }) => path ?? []) ?? [];
  return paths.length === 0 ? "" : ` (${named(paths, 5)})`;
}
