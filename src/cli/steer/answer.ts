/** `cox answer ID TEXT`: records a person's answer to a question, in words or by the number of an option. */
import type { QuestionId } from "../../kernel/event.ts";
import type { State } from "../../kernel/state.ts";
import { answerTooLong } from "../../runtime/acts/answer-too-long.ts";
import { goesOn } from "../../runtime/steer.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { RunPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { steerRun } from "./steer-run.ts";

export async function answer(door: CommandContext, ports: RunPorts): Promise<ExitCode> {
  const [id = "", ...said] = door.words;
  const typed = said.join(" ").trim();
  const problem = problemWith(id, typed);
  if (problem) return tellProblems(door, "answer", [problem], exit.usage);
  const question = id as QuestionId;
  let text = typed;
  return steerRun(door, ports, {
    command: "answer",
    run: door.values.one("run"),
    decide(state, by) {
      text = meant(state, question, typed);
      return { command: "answer", question, answer: text, by };
    },
    words: (done) => `${oneLine(id, 60)} is answered: ${quote(text, 200)}. ${goesOn(done)}`,
  });
}

function problemWith(id: string, text: string): Problem | undefined {
  const hint = 'Type for example: cox answer q1 "use port 8080"';
  if (id === "") return { code: "USAGE", message: "which question do you want to answer?", hint };
  if (text === "")
    return {
      code: "USAGE",
      message: `what is the answer to ${oneLine(id, 60)}?`,
      hint: hint.replace("q1", oneLine(id, 60)),
    };
  return answerTooLong(text);
}

/** Options are shown with numbers, so a number means that option. */
function meant(state: State, id: QuestionId, typed: string): string {
  const options = state.questions.get(id)?.options ?? [];
  return (/^\d{1,3}$/.test(typed) && !options.includes(typed) && options[Number(typed) - 1]) || typed;
}
